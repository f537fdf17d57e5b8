package otlp

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

const (
	prefix          = "OTEL_EXPORTER_OTLP_"
	defaultEndpoint = "http://localhost:4318"
	tracesPath      = "/v1/traces"
	defaultTimeout  = 10 * time.Second
)

// settings are what the OpenTelemetry variables say about the collector of traces.
type settings struct {
	url     string
	headers http.Header
	timeout time.Duration // of one request
	gzip    bool
	tls     *tls.Config // nil for the system's
}

// Wanted reports whether traces are to be sent: if the address of a collector is set, or OTEL_TRACES_EXPORTER is otlp.
func Wanted(getenv func(string) string) bool {
	v := variables(getenv)
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	endpoint, _ := v.get("ENDPOINT")
	return endpoint != "" || getenv("OTEL_TRACES_EXPORTER") == "otlp"
}

// variables reads OTEL_EXPORTER_OTLP_TRACES_X, or else OTEL_EXPORTER_OTLP_X.
type variables func(string) string

func (v variables) get(name string) (value, from string) {
	for _, from = range []string{prefix + "TRACES_" + name, prefix + name} {
		if value = strings.TrimSpace(v(from)); value != "" {
			return value, from
		}
	}
	return "", from
}

func read(getenv func(string) string) (s settings, err error) {
	v := variables(getenv)
	if value, name := v.get("PROTOCOL"); value != "" && value != "http/protobuf" {
		return s, fmt.Errorf("%s must be http/protobuf, for which most collectors listen on port 4318", name)
	}
	if s.url, err = v.endpoint(); err != nil {
		return s, err
	}
	if s.headers, err = v.headers(); err != nil {
		return s, err
	}
	s.timeout = defaultTimeout
	if value, name := v.get("TIMEOUT"); value != "" {
		ms, err := strconv.Atoi(value)
		if err != nil || ms <= 0 {
			return s, fmt.Errorf("%s must be a number of milliseconds", name)
		}
		s.timeout = time.Duration(ms) * time.Millisecond
	}
	switch value, name := v.get("COMPRESSION"); value {
	case "", "none":
	case "gzip":
		s.gzip = true
	default:
		return s, fmt.Errorf("%s must be gzip or none", name)
	}
	s.tls, err = v.tls()
	return s, err
}

// endpoint returns the address that spans are sent to. That of traces is used as it is; the general one is the address
// of all signals, to which the path of traces is added.
func (v variables) endpoint() (string, error) {
	value, name := v.get("ENDPOINT")
	if value == "" {
		return defaultEndpoint + tracesPath, nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%s must be an http or https address", name) // which may contain a password
	}
	if name == prefix+"ENDPOINT" {
		u = u.JoinPath(tracesPath)
	}
	return u.String(), nil
}

// headers reads pairs such as "api-key=secret,x=y", whose values are escaped like a part of a URL.
func (v variables) headers() (http.Header, error) {
	h := http.Header{}
	value, name := v.get("HEADERS")
	for pair := range strings.SplitSeq(value, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		key, escaped, ok := strings.Cut(pair, "=")
		unescaped, err := url.PathUnescape(strings.TrimSpace(escaped))
		key = strings.TrimSpace(key)
		if !ok || err != nil || !httpguts.ValidHeaderFieldName(key) || !httpguts.ValidHeaderFieldValue(unescaped) {
			return nil, fmt.Errorf("%s must contain pairs such as name=value, separated by commas", name)
		}
		h.Set(key, unescaped)
	}
	return h, nil
}

// tls reads the files of the collector's certificate authorities and of the client's certificate and key.
func (v variables) tls() (*tls.Config, error) {
	authorities, name := v.get("CERTIFICATE")
	certificate, _ := v.get("CLIENT_CERTIFICATE")
	key, _ := v.get("CLIENT_KEY")
	if authorities == "" && certificate == "" && key == "" {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if authorities != "" {
		pem, err := os.ReadFile(authorities)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: the file contains no certificate", name)
		}
	}
	if (certificate == "") != (key == "") {
		return nil, errors.New(prefix + "CLIENT_CERTIFICATE and " + prefix + "CLIENT_KEY must be set together")
	}
	if certificate != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("%sCLIENT_CERTIFICATE: %w", prefix, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

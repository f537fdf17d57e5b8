package sandbox

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"time"
)

// Listen serves s on a loopback address such as "127.0.0.1:0" until ctx ends, and returns the server's URL. A client's
// base URL is that URL plus [APIPath]. Other addresses are refused, because /_sandbox requires no token.
func Listen(ctx context.Context, addr string, s *Server) (url string, err error) {
	l, err := listen(ctx, addr)
	if err != nil {
		return "", err
	}
	s.serve(ctx, l)
	return "http://" + l.Addr().String(), nil
}

// ListenTLS is like [Listen] over TLS, with a certificate such as that of [SelfSigned]. The URL starts with https.
func ListenTLS(ctx context.Context, addr string, s *Server, certificate tls.Certificate) (url string, err error) {
	l, err := listen(ctx, addr)
	if err != nil {
		return "", err
	}
	s.serve(ctx, tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{certificate},
		MinVersion: tls.VersionTLS12}))
	return "https://" + l.Addr().String(), nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("sandbox address: %w", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, errors.New("sandbox address: only loopback addresses are served")
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	return l, nil
}

func (s *Server) serve(ctx context.Context, l net.Listener) {
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 8 << 10}
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	go func() { _ = srv.Serve(l) }() // ends with ErrServerClosed when ctx does
}

// SelfSigned returns a self-signed certificate for the loopback addresses, valid for a year, and the same certificate
// as PEM for clients to trust.
func SelfSigned() (certificate tls.Certificate, authority []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "Stockhand sandbox"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

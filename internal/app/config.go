package app

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/otlp"
	"github.com/stockhand/stockhand/internal/retention"
	"github.com/stockhand/stockhand/internal/store/kept"
	"github.com/stockhand/stockhand/internal/traffic"
	"github.com/stockhand/stockhand/internal/work"
)

// Config is the program's configuration: the environment and the flags, read once and passed on as values. Printing or
// logging it omits the secrets.
type Config struct {
	Database string // file or postgres:// URL of the database; empty means a temporary one
	NATS     string // nats:// URL; empty means a NATS server in this process
	// Postgres and NATS on other hosts may be reached without a login or TLS
	TrustedNetwork bool
	EncryptData    bool   // encrypt the text of messages, results and drafts
	SecretKey      string // the keys that encrypt credentials
	SecretKeyFile  string // or the file that contains them; with SQLite, a missing file is created

	SecretKeyCommand string // or the shell command that prints them

	AuditSyslog        string // where the audit logs are streamed: tcp://, tls:// or unix://; empty is nowhere
	AuditWebhook       string // and over HTTP; empty is nowhere
	AuditWebhookSecret string // signs what is posted there
	// base URLs that replace the vendor's, by connector name
	Servers map[string]string
	// networks of the operator in which MCP servers may be; none by default
	MCPPrivate []netip.Prefix

	Addr string // listen address, e.g. "127.0.0.1:8080"; port 0 picks a free port
	// public address, e.g. "https://stockhand.example.org"; empty means the listen address
	PublicURL      string
	MetricsAddr    string           // where /metrics is served, without a token; empty is nowhere
	TLSCertFile    string           // with TLSKeyFile: serve HTTPS
	TLSKeyFile     string           //
	Organization   string           // name of the first organization, created in an empty database
	OwnerEmail     string           // its owner
	AnyoneCreates  bool             // users may create organizations; otherwise only the operator may
	InvitedSignUp  bool             // invited people may create their account; otherwise only the operator may
	InvitationDays int              // validity of invitations in days; 0 means the default
	SignInIdle     time.Duration    // how long a sign-in may be unused; 0 means the default
	SignInLife     time.Duration    // how long a sign-in lasts; 0 means the default
	Provider       *signin.Provider // with whose accounts people sign in; nil for none
	Origins        []string         // origins that may call the API from a browser (CORS)
	Proxies        []netip.Prefix   // proxies whose X-Forwarded-For header is trusted
	Rate           api.Rate         // per key or user; zero means the API's default
	OrgRate        api.Rate         // per organization; zero means three times Rate
	Workers        int              // runs that one replica works on at once; 0 means the default
	MaxRuns        agent.MaxUnfinished
	MaxStarted     work.MaxStarted // of one replica; zero means the default
	Retention      retention.Installation
	Facts          kept.Limits     // none: nothing is kept of external accounts
	Traffic        traffic.Limits  // none: nothing is kept of what runs ask
	Quota          retention.Quota // of an organization; zero is none
	LLM            llm.Config      // the models; without any, tasks are answered without a model
	Streams        ratelimit.Share // that may be open; zero means the API's default
	FailureRate    api.Rate        // per address whose tokens are rejected; zero means the default
	Traces         *otlp.Client    // the collector of traces; nil if none are sent
	Logger         *slog.Logger

	// For tests. Nil means the default.
	Limiter limit.Limiter
	Pauses  []time.Duration  // see draft.Config
	Clock   func() time.Time // for accounts' days and for drafts

	// For recordings and replays. Nil means none.
	// see agent.Config
	Tape         func(ctx context.Context, t agent.Taped) (context.Context, time.Time, func(context.Context))
	Model        llm.Model // instead of those of LLM
	ModelContext int       // of Model, in tokens; 0 means the usual one
	Site         string    // the address in links of a service that is not served

	Tokens     []Token     // accounts that the command line connects, from the environment
	Connectors []Connector // nil means [Connectors]
}

// The names of environment variables, for messages and help.
const (
	envDatabase  = "STOCKHAND_DATABASE_URL"
	envNATS      = "STOCKHAND_NATS_URL"
	envTrusted   = "STOCKHAND_TRUSTED_NETWORK"
	EnvSecretKey = "STOCKHAND_SECRET_KEY"
	envKeyFile   = "STOCKHAND_SECRET_KEY_FILE"
	envKeyCmd    = "STOCKHAND_SECRET_KEY_COMMAND"
	envEncrypt   = "STOCKHAND_ENCRYPT_DATA"

	envSyslog     = "STOCKHAND_AUDIT_SYSLOG"
	envWebhook    = "STOCKHAND_AUDIT_WEBHOOK"
	envWebhookKey = "STOCKHAND_AUDIT_WEBHOOK_SECRET"

	envMCP       = "STOCKHAND_MCP_PRIVATE"
	EnvDataDir   = "STOCKHAND_DATA_DIR"
	envPublicURL = "STOCKHAND_PUBLIC_URL"
	envMetrics   = "STOCKHAND_METRICS_ADDR"
	envCert      = "STOCKHAND_TLS_CERT_FILE"
	envCertKey   = "STOCKHAND_TLS_KEY_FILE"
	envOrg       = "STOCKHAND_ORGANIZATION"
	envOwner     = "STOCKHAND_OWNER_EMAIL"
	envCreates   = "STOCKHAND_CREATE_ORGANIZATIONS"
	envSignUp    = "STOCKHAND_SIGN_UP"
	envInvites   = "STOCKHAND_INVITATION_DAYS"
	envOrigins   = "STOCKHAND_CORS_ORIGINS"
	envProxies   = "STOCKHAND_TRUSTED_PROXIES"
	envRate      = "STOCKHAND_RATE_LIMIT"
	envWorkers   = "STOCKHAND_WORKERS"
	envStarted   = "STOCKHAND_STARTED_RUNS"
	envMaxRuns   = "STOCKHAND_MAX_RUNS"
	envStreams   = "STOCKHAND_STREAMS"
	envOrgRate   = "STOCKHAND_ORG_RATE_LIMIT"
	envRetention = "STOCKHAND_RETENTION"
	envQuota     = "STOCKHAND_QUOTA"
	envFacts     = "STOCKHAND_FACTS"
	envTraffic   = "STOCKHAND_TRAFFIC"
)

// ReadConfig reads the environment. Tokens are never flags, because flag values are visible in the process list.
func ReadConfig(getenv func(string) string) (Config, error) {
	c := Config{
		Database:      getenv(envDatabase),
		NATS:          getenv(envNATS),
		SecretKey:     getenv(EnvSecretKey),
		SecretKeyFile: getenv(envKeyFile),

		SecretKeyCommand: getenv(envKeyCmd),

		AuditSyslog: getenv(envSyslog), AuditWebhook: getenv(envWebhook), AuditWebhookSecret: getenv(envWebhookKey),

		MetricsAddr:  getenv(envMetrics),
		TLSCertFile:  getenv(envCert),
		TLSKeyFile:   getenv(envCertKey),
		Organization: getenv(envOrg),
		OwnerEmail:   getenv(envOwner),
	}
	var err error
	if c.MCPPrivate, err = networks(envMCP, getenv(envMCP)); err != nil {
		return c, err
	}
	if c.TrustedNetwork, err = yes(envTrusted, getenv(envTrusted)); err != nil {
		return c, err
	}
	if c.EncryptData, err = yes(envEncrypt, getenv(envEncrypt)); err != nil {
		return c, err
	}
	switch getenv(envCreates) {
	case "", "operator":
	case "anyone":
		c.AnyoneCreates = true
	default:
		return c, badValue(envCreates, "operator or anyone")
	}
	switch getenv(envSignUp) {
	case "", "invited":
		c.InvitedSignUp = true
	case "operator":
	default:
		return c, badValue(envSignUp, "invited or operator")
	}
	if c.InvitationDays, err = number(envInvites, getenv(envInvites), "days", auth.MostInvitationDays); err != nil {
		return c, err
	}
	if err := c.readPeople(getenv); err != nil {
		return c, err
	}
	if c.SecretKeyCommand != "" && c.SecretKey+c.SecretKeyFile != "" {
		return c, badValue(envKeyCmd, "a command, and set neither "+EnvSecretKey+" nor "+envKeyFile)
	}
	if strings.Contains(c.Database, "://") && !c.onPostgres() {
		return c, badValue(envDatabase, "the path of a file, or postgres://user:password@host:5432/database")
	}
	if err := c.readConnectors(getenv); err != nil {
		return c, err
	}
	if c.PublicURL, err = address(envPublicURL, getenv(envPublicURL),
		"the public address of this server, for example https://stockhand.example.org"); err != nil {
		return c, err
	}
	for _, o := range list(getenv(envOrigins)) {
		u, err := url.Parse(o)
		if o != "*" && (err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") ||
			strings.Trim(u.Path, "/") != "") {
			return c, badValue(envOrigins, "comma-separated origins, for example https://app.example.org")
		}
		c.Origins = append(c.Origins, strings.TrimRight(o, "/"))
	}
	if c.Proxies, err = networks(envProxies, getenv(envProxies)); err != nil {
		return c, err
	}
	if c.Rate, err = readRate(envRate, getenv(envRate)); err != nil {
		return c, err
	}
	if c.OrgRate, err = readRate(envOrgRate, getenv(envOrgRate)); err != nil {
		return c, err
	}
	if v := getenv(envWorkers); v != "" {
		if c.Workers, err = strconv.Atoi(v); err != nil || c.Workers < 1 || c.Workers > 1000 {
			return c, badValue(envWorkers, "a number from 1 to 1000")
		}
	}
	if m, ok := counts(getenv(envMaxRuns), 2); !ok {
		return c, badValue(envMaxRuns, "the unfinished tasks of an actor and of an organization, as in 200:600")
	} else if m != nil {
		c.MaxRuns = agent.MaxUnfinished{OfActor: m[0], OfOrg: m[1]}
	}
	if m, ok := counts(getenv(envStreams), 2); !ok {
		return c, badValue(envStreams, "the streams that an actor and an organization may have open, as in 50:200")
	} else if m != nil {
		c.Streams = ratelimit.Share{OfActor: int64(m[0]), OfOrg: int64(m[1])}
	}
	if m, ok := counts(getenv(envStarted), 4); !ok {
		return c, badValue(envStarted,
			"the begun tasks of an actor, a connection, an organization and all, as in 16:24:32:256")
	} else if m != nil {
		c.MaxStarted = work.MaxStarted{m[3], m[2], m[1], m[0]}
	}
	var ok bool
	if c.Retention, ok = retention.Parse(getenv(envRetention)); !ok {
		return c, badValue(envRetention,
			"days and the most that an organization may set, as in sessions=365,results=30:90")
	}
	if c.Quota, ok = retention.ParseQuota(getenv(envQuota)); !ok {
		return c, badValue(envQuota, "what an organization may store, as in results=10240,sessions=1000000; or off")
	}
	if c.Traffic, ok = keptTraffic(getenv(envTraffic)); !ok {
		return c, badValue(envTraffic, "days and the most MiB for an organization, as in 7:256; or off")
	}
	if c.Facts, ok = keptFacts(getenv(envFacts)); !ok {
		return c, badValue(envFacts, "days and MiB of an organization, as in 30:256; or off")
	}
	if c.LLM, err = llm.ReadConfig(getenv); err != nil {
		return c, err
	}
	if (c.TLSCertFile == "") != (c.TLSKeyFile == "") {
		return c, stockhand.Errorf(stockhand.CodeValidation, "%s and %s must be set together", envCert,
			envCertKey).WithHint("set both to serve HTTPS, or neither")
	}
	if err := c.checkNATS(); err != nil {
		return c, err
	}
	return c, c.checkPostgres()
}

// counts reads n positive numbers, none smaller than the one before it, separated by colons; nil if there are none.
func counts(value string, n int) (all []int, ok bool) {
	if value == "" {
		return nil, true
	}
	for part := range strings.SplitSeq(value, ":") {
		count, err := strconv.Atoi(part)
		if err != nil || count < 1 || len(all) > 0 && count < all[len(all)-1] {
			return nil, false
		}
		all = append(all, count)
	}
	return all, len(all) == n
}

// readRate parses "off", or requests per second with an optional burst, such as "50" or "50:200".
func readRate(variable, v string) (r api.Rate, err error) {
	if v == "" {
		return r, nil
	}
	if v == "off" {
		return api.Rate{PerSecond: -1}, nil
	}
	perSecond, burst, two := strings.Cut(v, ":")
	r.PerSecond, err = strconv.ParseFloat(perSecond, 64)
	if err == nil && two {
		r.Burst, err = strconv.Atoi(burst)
	}
	if err != nil || !(r.PerSecond > 0 && r.PerSecond <= 1e6) || two && (r.Burst < 1 || r.Burst > 1e6) {
		return r, badValue(variable,
			"the requests a second that are allowed, perhaps with how many at once, as in 50 or 50:200; or off")
	}
	return r, nil
}

// Token is a credential of an account for a connector.
type Token struct{ Connector, Token string }

// Variable returns the environment variable of a connector's setting, such as STOCKHAND_MOYSKLAD_TOKEN.
func Variable(connector, setting string) string {
	return "STOCKHAND_" + strings.ToUpper(connector) + "_" + setting
}

// readConnectors reads the base URL and the tokens of each connector with a vendor API.
func (c *Config) readConnectors(getenv func(string) string) error {
	c.Servers = map[string]string{}
	for _, k := range Connectors {
		if k.DefaultURL == "" {
			continue
		}
		name := Variable(k.Name, "URL")
		server, err := address(name, getenv(name), "the API's root, as in "+k.DefaultURL)
		if err != nil {
			return err
		}
		if u, err := url.Parse(server); err == nil && server != "" {
			if usual, err := url.Parse(k.DefaultURL); err == nil && u.Path == "" {
				server += usual.Path // a bare host gets the API's usual path
			}
			c.Servers[k.Name] = server
		}
		for _, token := range list(getenv(Variable(k.Name, "TOKEN"))) {
			c.Tokens = append(c.Tokens, Token{k.Name, token})
		}
	}
	return nil
}

// servers lists the base URLs that replace the vendors', for the log.
func (c Config) servers() string {
	return strings.Join(slices.Sorted(maps.Values(c.Servers)), ",")
}

// address validates the address of a server; empty stays empty.
func address(variable, value, example string) (string, error) {
	value = strings.TrimRight(value, "/")
	if value == "" {
		return "", nil
	}
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return "", stockhand.Errorf(stockhand.CodeValidation, "%s is not the address of a server", variable).
			WithHint("set %s, without a login", example)
	}
	return value, nil
}

// yes reads 1 or 0; empty is 0.
func yes(variable, value string) (bool, error) {
	if value == "" {
		return false, nil
	}
	v, err := strconv.ParseBool(value)
	if err != nil {
		return false, badValue(variable, "1 or 0")
	}
	return v, nil
}

// networks reads a list of networks and addresses.
func networks(variable, value string) (all []netip.Prefix, err error) {
	for _, p := range list(value) {
		prefix, err := netip.ParsePrefix(p)
		if err != nil {
			one, err := netip.ParseAddr(p)
			if err != nil {
				return nil, badValue(variable, "comma-separated addresses or networks, for example 10.0.0.0/8")
			}
			prefix = netip.PrefixFrom(one, one.BitLen())
		}
		all = append(all, prefix)
	}
	return all, nil
}

// badValue returns an error that names the variable and never quotes its value, which may be a misplaced secret.
func badValue(variable, wants string) error {
	return stockhand.Errorf(stockhand.CodeValidation, "%s is invalid", variable).WithHint("set it to %s", wants)
}

// list splits a list separated by commas, semicolons or white space.
func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(", \n\r\t;", r) })
}

// InDataFolder sets unset paths to files in the user's data folder, and creates that folder. It never creates a key for
// a database that several machines share: each machine would create a different one, and none could decrypt the others'
// credentials.
func (c Config) InDataFolder(getenv func(string) string) (Config, error) {
	keyed := c.SecretKey+c.SecretKeyFile+c.SecretKeyCommand != ""
	if c.Database != "" && keyed {
		return c, nil
	}
	if c.onPostgres() {
		return c, stockhand.Errorf(stockhand.CodeValidation,
			"no key to encrypt credentials with: none of %s, %s and %s is set", envKeyFile, EnvSecretKey, envKeyCmd).
			WithHint("generate one for all replicas of this database and keep a copy: openssl rand -base64 32 > "+
				"secret.key; then set %s=secret.key", envKeyFile)
	}
	dir := getenv(EnvDataDir)
	if dir == "" {
		base := getenv("XDG_DATA_HOME")
		if base == "" {
			home := getenv("HOME")
			if home == "" {
				return c, stockhand.Errorf(stockhand.CodeValidation,
					"no data folder: neither %s nor HOME is set", EnvDataDir).
					WithHint("set %s to a folder", EnvDataDir)
			}
			base = filepath.Join(home, ".local", "share")
		}
		dir = filepath.Join(base, "stockhand")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return c, stockhand.Errorf(stockhand.CodeInternal, "cannot create the data folder: %w",
			err).WithHint("set %s to a writable folder", EnvDataDir)
	}
	if c.Database == "" {
		c.Database = filepath.Join(dir, "stockhand.db")
	}
	if !keyed {
		c.SecretKeyFile = filepath.Join(dir, "secret.key")
	}
	return c, nil
}

// onPostgres reports whether the database can be shared by several machines.
func (c Config) onPostgres() bool {
	return strings.HasPrefix(c.Database, "postgres://") || strings.HasPrefix(c.Database, "postgresql://")
}

// String returns the configuration without secrets.
func (c Config) String() string {
	var b strings.Builder
	for _, a := range c.shown() {
		fmt.Fprintf(&b, "%s=%s ", a.Key, a.Value)
	}
	return strings.TrimSpace(b.String())
}

// Format writes String for every verb, so that no verb prints a secret.
func (c Config) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(c.String())) }

// LogValue returns the configuration without secrets.
func (c Config) LogValue() slog.Value { return slog.GroupValue(c.shown()...) }

func (c Config) shown() []slog.Attr {
	or := func(s, empty string) string {
		if s == "" {
			return empty
		}
		return s
	}
	key := or(c.SecretKeyFile, "none")
	switch {
	case c.SecretKey != "":
		key = "from " + EnvSecretKey
	case c.SecretKeyCommand != "":
		key = "from " + envKeyCmd
	}
	return []slog.Attr{
		slog.String("database", or(withoutLogin(c.Database), "temporary")),
		slog.String("nats", or(withoutLogin(c.NATS), "embedded")),
		slog.Bool("trusted_network", c.TrustedNetwork),
		slog.String("secret_key", key),
		slog.Bool("encrypt_data", c.EncryptData),
		slog.String("servers", or(c.servers(), "the vendors'")),
		slog.Int("mcp_private_networks", len(c.MCPPrivate)),
		slog.Int("model_providers", len(c.LLM.Providers)),
		slog.String("addr", c.Addr),
		slog.String("metrics_addr", or(c.MetricsAddr, "none")),
		slog.String("public_url", c.PublicURL),
		slog.Bool("tls", c.TLSCertFile != ""),
		slog.String("cors_origins", or(strings.Join(c.Origins, ","), "none")),
		slog.Int("trusted_proxies", len(c.Proxies)),
		slog.String("rate_limit", rateText(c.Rate)),
		slog.String("org_rate_limit", rateText(c.OrgRate)),
	}
}

// rateText writes a rate as it is set.
func rateText(r api.Rate) string {
	switch {
	case r.PerSecond < 0:
		return "off"
	case r.PerSecond == 0:
		return "default"
	case r.Burst > 0:
		return fmt.Sprintf("%g:%d", r.PerSecond, r.Burst)
	}
	return fmt.Sprint(r.PerSecond)
}

// withoutLogin removes the user, password and parameters from an address; a file path is unchanged.
func withoutLogin(address string) string {
	var all []string
	for _, one := range strings.Split(address, ",") {
		if !strings.Contains(one, "://") {
			all = append(all, one)
			continue
		}
		u, err := url.Parse(one)
		if err != nil {
			all = append(all, "(unreadable)")
			continue
		}
		all = append(all, u.Scheme+"://"+u.Host+u.Path)
	}
	return strings.Join(all, ",")
}

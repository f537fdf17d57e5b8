package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Config lists the models and limits what they may cost.
type Config struct {
	Providers []ProviderConfig `json:"providers"`
	// "provider/model": the model that answers tasks, then its fallbacks; by default the first model of each provider,
	// in order
	Agent []string `json:"agent"`
	// which tasks smaller models begin
	Routing Routing `json:"routing,omitzero"`
	// "provider/model": the models that callers in OpenAI's format may use; none by default
	PassThrough []string `json:"pass_through,omitempty"`
	Currency    string   `json:"currency"` // of the prices, for display; default USD
	Limits      Limits   `json:"limits"`
	// what the built-in reader does before the model is asked; ReadConfig sets ReaderFirst
	Reader Reader `json:"reader,omitempty"`
	Clock  Clock  `json:"-"` // of waiting; the zero value is the machine's
}

// Reader is what the built-in reader of tasks does where a model is configured.
type Reader string

// The reader's parts; the zero value is ReaderOff.
const (
	// it answers a task that it understands completely, and is a hint to the model otherwise
	ReaderFirst Reader = "first"
	ReaderHint  Reader = "hint" // the model answers every task and sees how the reader understood it
	ReaderOff   Reader = "off"  // the model answers every task alone
)

// ProviderConfig configures a server.
type ProviderConfig struct {
	Name      string `json:"name"`     // as in "provider/model"
	BaseURL   string `json:"base_url"` // with the version: https://api.openai.com/v1
	APIKey    string `json:"api_key,omitempty"`
	APIKeyEnv string `json:"api_key_env,omitempty"` // the environment variable with the key
	// how the key is exchanged for a bearer token; if absent, the key is the token
	Auth      *AuthConfig   `json:"auth,omitempty"`
	Models    []ModelConfig `json:"models"`
	CAFile    string        `json:"ca_file,omitempty"`    // PEM file with authorities to trust besides the system's
	MaxTokens int           `json:"max_tokens,omitempty"` // the maximum length of a reply; default 4096

	Timeout      Duration `json:"timeout,omitempty"`       // for a complete reply; default 5m
	FirstTimeout Duration `json:"first_timeout,omitempty"` // to its first chunk; default 1m
	IdleTimeout  Duration `json:"idle_timeout,omitempty"`  // between chunks; default 30s
}

// AuthConfig configures a token exchange: the key is exchanged for tokens that are valid for half an hour.
type AuthConfig struct {
	Type  string `json:"type"`            // "gigachat"
	URL   string `json:"url,omitempty"`   // default: the vendor's
	Scope string `json:"scope,omitempty"` // default GIGACHAT_API_PERS
}

// functions reports whether the provider accepts functions instead of tools.
func (c ProviderConfig) functions() bool { return c.Auth != nil && c.Auth.Type == "gigachat" }

// ModelConfig is a model with its prices in main units of the currency per million tokens.
type ModelConfig struct {
	Name        string          `json:"name"`
	InputPrice  decimal.Decimal `json:"input_price,omitzero"`
	OutputPrice decimal.Decimal `json:"output_price,omitzero"`
	// of input that the provider has in its cache; if absent, the price of other input
	CachedPrice *decimal.Decimal `json:"cached_price,omitempty"`
	// the tokens that a request and its reply may have together; 0 means DefaultContext
	Context int `json:"context,omitempty"`
}

// The context of a model for which none is configured, and the smallest that agents can work with.
const (
	DefaultContext = 64_000
	leastContext   = 8_000
)

// Limits limit what models may use. Amounts are in main units of the prices' currency.
type Limits struct {
	// maximum model calls per run: 1–50; 0 means 25
	MaxIterations int             `json:"max_iterations,omitempty"`
	RunTokens     int             `json:"run_tokens,omitempty"` // 0 means 200,000
	RunMoney      decimal.Decimal `json:"run_money,omitzero"`   // 0 means unlimited
	// how long a run that has read something waits for a model that fails for the moment; 0 means 5 minutes
	Patience    Duration `json:"patience,omitempty"`
	MonthLimits          // of each organization
	// of single organizations; what is 0 is as for the others
	Organizations map[stockhand.OrgID]MonthLimits `json:"organizations,omitempty"`
}

// What one run may use if nothing else is configured.
const (
	DefaultIterations = 25
	DefaultRunTokens  = 200_000
)

// Duration is a duration in Go syntax, such as "30s" or "5m".
type Duration time.Duration

// MarshalJSON encodes a duration in Go syntax.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// UnmarshalJSON decodes a duration in Go syntax.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return errors.New(`a duration must be a string such as "30s"`)
	}
	v, err := time.ParseDuration(s)
	if err == nil && v <= 0 {
		err = errors.New("a duration must be positive")
	}
	*d = Duration(v)
	return err
}

// EnvName is the name of the provider configured by environment variables alone.
const EnvName = "default"

// ReadConfig reads the models from the file STOCKHAND_LLM_FILE, or a single model from STOCKHAND_LLM_BASE_URL, _API_KEY
// and _MODEL. It is not an error if neither is set: tasks are then processed without a model.
// STOCKHAND_LLM_PASS_THROUGH, _READER, _MAX_ITERATIONS, _RUN_TOKENS and _MONTH_TOKENS override what is in the file.
func ReadConfig(getenv func(string) string) (Config, error) {
	var c Config
	file, base := getenv("STOCKHAND_LLM_FILE"), getenv("STOCKHAND_LLM_BASE_URL")
	switch {
	case file != "" && base != "":
		return c, invalid("STOCKHAND_LLM_FILE and STOCKHAND_LLM_BASE_URL are both set",
			"set only one of them")
	case file != "":
		body, err := os.ReadFile(file)
		if err != nil {
			return c, invalid("STOCKHAND_LLM_FILE cannot be read", "give the path of a readable JSON file")
		}
		d := json.NewDecoder(bytes.NewReader(body))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			return c, invalid("invalid STOCKHAND_LLM_FILE: "+where(err),
				"see the documentation of the file")
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return c, invalid("STOCKHAND_LLM_FILE contains more than one JSON object", "keep one")
		}
		for i, p := range c.Providers {
			if p.APIKeyEnv != "" {
				c.Providers[i].APIKey = cmp.Or(p.APIKey, getenv(p.APIKeyEnv))
			}
		}
	case base != "":
		model := getenv("STOCKHAND_LLM_MODEL")
		if model == "" {
			return c, invalid("STOCKHAND_LLM_MODEL is not set",
				"set it to a model of the server at STOCKHAND_LLM_BASE_URL")
		}
		c.Providers = []ProviderConfig{{Name: EnvName, BaseURL: base, APIKey: getenv("STOCKHAND_LLM_API_KEY"),
			Models: []ModelConfig{{Name: model}}, CAFile: getenv("STOCKHAND_LLM_CA_FILE")}}
	case getenv("STOCKHAND_LLM_MODEL") != "":
		return c, invalid("STOCKHAND_LLM_MODEL is set, but STOCKHAND_LLM_BASE_URL is not",
			"set it to the address of the model's server, for example http://127.0.0.1:11434/v1")
	}
	if v := getenv("STOCKHAND_LLM_PASS_THROUGH"); v != "" {
		c.PassThrough = strings.FieldsFunc(v, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	}
	c.Reader = cmp.Or(Reader(getenv("STOCKHAND_LLM_READER")), c.Reader, ReaderFirst)
	if c.Reader != ReaderFirst && c.Reader != ReaderHint && c.Reader != ReaderOff {
		return c, invalid("STOCKHAND_LLM_READER, or reader in the file, is unknown", "set first, hint or off")
	}
	for name, into := range map[string]*int{
		"STOCKHAND_LLM_MAX_ITERATIONS": &c.Limits.MaxIterations, "STOCKHAND_LLM_RUN_TOKENS": &c.Limits.RunTokens,
		"STOCKHAND_LLM_MONTH_TOKENS": &c.Limits.MonthTokens,
	} {
		if v := getenv(name); v != "" {
			n, err := strconv.Atoi(v)
			if err != nil {
				return c, invalid(name+" is not a whole number", "set a number, or unset it for the default")
			}
			*into = n
		}
	}
	return c, nil
}

// where describes what is wrong with a file without quoting it, because it may contain keys.
func where(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return e.Field + " is of the wrong type"
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf("invalid JSON at byte %d", e.Offset)
	}
	if strings.HasPrefix(err.Error(), "json: unknown field") {
		return strings.TrimPrefix(err.Error(), "json: ")
	}
	return "a value is invalid"
}

func invalid(message, hint string) error {
	return stockhand.Errorf(stockhand.CodeValidation, "%s", message).WithHint("%s", hint)
}

// Provider is a configured server.
type Provider struct {
	Name    string
	BaseURL string       // without a trailing slash
	Client  *http.Client // does not follow redirects, so that the key goes to this server only
	Models  []ModelConfig

	config ProviderConfig
	tokens tokenSource
}

// Authorize sets the provider's key, or the token obtained for it, on a request, replacing any Authorization header.
func (p *Provider) Authorize(r *http.Request) error {
	token, err := p.tokens.token(r.Context())
	if err != nil {
		return err
	}
	r.Header.Del("Authorization")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// MaxTokens returns the default maximum length of a reply in tokens.
func (p *Provider) MaxTokens() int { return p.config.MaxTokens }

// Refused informs the token source that the provider rejected a token, and reports whether a new one can be obtained.
func (p *Provider) Refused() bool { return p.tokens.forget() }

// exposed reports whether requests travel unencrypted: plain HTTP to another machine.
func (p *Provider) exposed() bool {
	u, err := url.Parse(p.BaseURL)
	if err != nil || u.Scheme != "http" || u.Hostname() == "localhost" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err != nil || !ip.IsLoopback()
}

// Cost returns the cost of the tokens in millionths of the currency; 0 for a model without a price.
func (p *Provider) Cost(model string, u Usage) int64 {
	for _, m := range p.Models {
		if m.Name == model {
			return cost(m, u)
		}
	}
	return 0
}

// String returns the provider's name and address, without its key.
func (p *Provider) String() string { return p.Name + " at " + p.BaseURL }

// LogValue keeps the key out of logs.
func (p *Provider) LogValue() slog.Value { return slog.StringValue(p.String()) }

// cost returns the cost of the tokens in millionths, rounded up. A price per million tokens is a price in millionths
// per token.
func cost(m ModelConfig, u Usage) int64 {
	cached := m.InputPrice
	if m.CachedPrice != nil {
		cached = *m.CachedPrice
	}
	sum := m.InputPrice.Mul(decimal.FromInt(int64(u.Input - u.Cached)))
	sum = sum.Add(cached.Mul(decimal.FromInt(int64(u.Cached))))
	return whole(sum.Add(m.OutputPrice.Mul(decimal.FromInt(int64(u.Output)))))
}

// Providers are the configured servers by name.
type Providers struct {
	byName map[string]*Provider
	names  []string
	agent  []target
	small  []target
	passed []target
	limits Limits
	log    *slog.Logger
	clock  Clock

	currency string
	reader   Reader
	routing  Routing
}

// target is one model of one provider.
type target struct {
	*Provider
	model ModelConfig
}

func (t target) name() string { return t.Provider.Name + "/" + t.model.Name }

var providerName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)

// Load prepares the providers. It sends nothing. The logger, which may be nil, never gets a key.
func Load(c Config, log *slog.Logger) (*Providers, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if l := c.Limits; l.MaxIterations < 0 || l.MaxIterations > 50 || l.RunTokens < 0 ||
		l.RunMoney.Sign() < 0 || time.Duration(l.Patience) > mostPatience {
		return nil, invalid("a limit of the models is out of range",
			"max_iterations must be 1–50; run_tokens and run_money must not be negative; patience is 15m at most")
	}
	all := &Providers{byName: map[string]*Provider{}, limits: c.Limits, log: log, clock: c.Clock.orMachine(),
		currency: cmp.Or(c.Currency, "USD"), reader: c.Reader}
	for _, pc := range c.Providers {
		p, err := newProvider(pc)
		if err != nil {
			return nil, err
		}
		if pc.APIKey != "" && p.exposed() {
			log.Warn("the key of a model provider is sent unencrypted", "provider", p.Name, "hint", "use https")
		}
		if all.byName[p.Name] != nil {
			return nil, invalid("two providers have the name "+p.Name, "give each a unique name")
		}
		all.byName[p.Name] = p
		all.names = append(all.names, p.Name)
	}
	if len(c.Agent) == 0 {
		for _, pc := range c.Providers {
			c.Agent = append(c.Agent, pc.Name+"/"+pc.Models[0].Name)
		}
	}
	var err error
	if all.agent, err = all.targets(c.Agent); err != nil {
		return nil, err
	}
	if err = all.route(c.Routing); err != nil {
		return nil, err
	}
	if all.passed, err = all.targets(c.PassThrough); err != nil {
		return nil, err
	}
	return all, all.passable()
}

// targets finds listed models by "provider/model".
func (p *Providers) targets(names []string) (all []target, err error) {
	for _, name := range names {
		provider, model, _ := strings.Cut(name, "/") // the model's name may contain slashes
		found := p.byName[provider]
		i := -1
		if found != nil {
			i = slices.IndexFunc(found.Models, func(m ModelConfig) bool { return m.Name == model })
		}
		if i < 0 {
			return nil, invalid(fmt.Sprintf("unknown model %q: no configured provider has it", name),
				"use the form provider/model, and list the model under its provider")
		}
		all = append(all, target{found, found.Models[i]})
	}
	return all, nil
}

// passable reports why chats cannot be passed through: nothing limits what they cost.
func (p *Providers) passable() error {
	if len(p.passed) > 0 && p.limits.MonthTokens == 0 && p.limits.MonthMoney.IsZero() {
		return invalid("pass_through lists models, but no budget is set",
			"set month_tokens, in STOCKHAND_LLM_FILE or as STOCKHAND_LLM_MONTH_TOKENS, or month_money; -1 is no limit")
	}
	for _, t := range p.passed {
		if p.limits.MonthMoney.Sign() > 0 && p.limits.MonthTokens < 0 && t.model.free() {
			return invalid(t.name()+" is passed through without a price or a limit of tokens",
				"set its prices, or month_tokens")
		}
	}
	return nil
}

func newProvider(c ProviderConfig) (*Provider, error) {
	if !providerName.MatchString(c.Name) {
		return nil, invalid("invalid provider name", "use lower-case Latin letters, digits, - and _")
	}
	u, err := url.Parse(c.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, invalid("the base_url of "+c.Name+" is not the address of a server",
			"include the version, for example https://api.openai.com/v1, and no login")
	}
	if len(c.Models) == 0 {
		return nil, invalid("the provider "+c.Name+" lists no models", "list at least one, as {\"name\": …}")
	}
	for _, m := range c.Models {
		if m.Name == "" || m.InputPrice.Sign() < 0 || m.OutputPrice.Sign() < 0 {
			return nil, invalid("a model of "+c.Name+" has no name or a negative price",
				"set each model's name and prices per million tokens")
		}
		if p := m.CachedPrice; p != nil && (p.Sign() < 0 || p.Cmp(m.InputPrice) > 0) {
			return nil, invalid("the cached_price of a model of "+c.Name+" is negative or above its input_price",
				"set the price per million tokens of input that is read from the provider's cache")
		}
		if m.Context != 0 && m.Context < leastContext {
			return nil, invalid(fmt.Sprintf("the context of a model of %s is below %d tokens", c.Name, leastContext),
				"the tools alone need half of that")
		}
	}
	if c.APIKeyEnv != "" && c.APIKey == "" {
		return nil, invalid("the environment variable is not set: "+c.APIKeyEnv+" for the provider "+c.Name,
			"set it to the provider's key")
	}
	c.MaxTokens = cmp.Or(c.MaxTokens, 4096)
	c.Timeout = cmp.Or(c.Timeout, Duration(5*time.Minute))
	c.FirstTimeout = cmp.Or(c.FirstTimeout, Duration(time.Minute))
	c.IdleTimeout = cmp.Or(c.IdleTimeout, Duration(30*time.Second))
	client, err := newClient(c.CAFile)
	if err != nil {
		return nil, err
	}
	p := &Provider{Name: c.Name, BaseURL: strings.TrimRight(c.BaseURL, "/"), Client: client, Models: c.Models,
		config: c}
	if p.tokens, err = newTokenSource(c, client); err != nil {
		return nil, err
	}
	return p, nil
}

// Names lists the providers in configuration order.
func (p *Providers) Names() []string { return slices.Clone(p.names) }

// PassThrough lists the models that callers may use, as "provider/model".
func (p *Providers) PassThrough() []string {
	var names []string
	for _, t := range p.passed {
		names = append(names, t.name())
	}
	return names
}

// Passes finds a model that callers may use by its name, "provider/model".
func (p *Providers) Passes(name string) (*Provider, string, bool) {
	for _, t := range p.passed {
		if t.name() == name {
			return t.Provider, t.model.Name, true
		}
	}
	return nil, "", false
}

// Currency returns the currency of the prices, or nothing if no model has a price.
func (p *Providers) Currency() string {
	for _, each := range p.byName {
		if slices.ContainsFunc(each.Models, func(m ModelConfig) bool { return !m.free() }) {
			return p.currency
		}
	}
	return ""
}

// Context returns the tokens that each of the models that answer tasks can take.
func (p *Providers) Context() int {
	least := 0
	for _, t := range slices.Concat(p.agent, p.small) {
		if of := cmp.Or(t.model.Context, DefaultContext); least == 0 || of < least {
			least = of
		}
	}
	return cmp.Or(least, DefaultContext)
}

// Limits returns the configured limits.
func (p *Providers) Limits() Limits { return p.limits }

// Model returns the model that answers tasks, with its fallbacks, or nil when none is configured.
func (p *Providers) Model() Model {
	if len(p.agent) == 0 {
		return nil
	}
	large := p.chain(p.agent)
	if len(p.small) == 0 {
		return large
	}
	return router{small: p.chain(p.small), large: large}
}

func (p *Providers) chain(of []target) *chain {
	return &chain{targets: of, log: p.log, clock: p.clock, rest: make([]atomic.Int64, len(of))}
}

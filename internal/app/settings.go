package app

import (
	"fmt"
	"slices"
	"strings"
)

// setting is an environment variable of the program.
type setting struct{ group, name, def, meaning string }

// settings lists all environment variables. docs/settings.md is generated from it.
var settings = []setting{
	{"Command line", "STOCKHAND_MOYSKLAD_TOKEN", "",
		"Employee token for `ask`. Several tokens, separated by commas, connect several accounts. Secret."},
	{"Command line", "STOCKHAND_URL", "", "Address of a running server. With it, `ask` and `mcp` use that server."},
	{"Command line", "STOCKHAND_API_KEY", "", "API key or user token for that server. Secret."},
	{"Storage", "STOCKHAND_DATA_DIR", "`~/.local/share/stockhand`",
		"Data directory for the database and the encryption key."},
	{"Storage", "STOCKHAND_DATABASE_URL", "`stockhand.db` in the data directory",
		"A SQLite file, or `postgres://user:password@host:5432/database?sslmode=verify-full`. May contain a secret."},
	{"Storage", "STOCKHAND_SECRET_KEY_FILE", "`secret.key` in the data directory",
		"File with the keys that encrypt stored credentials. Required with Postgres unless one of the next two is set."},
	{"Storage", "STOCKHAND_SECRET_KEY", "", "The same keys as a value instead of a file. Secret."},
	{"Storage", "STOCKHAND_SECRET_KEY_COMMAND", "",
		"A shell command that prints the same keys, such as `vault kv get -field=key secret/stockhand`. It has 30 seconds, and its output is not logged."},
	{"Storage", "STOCKHAND_ENCRYPT_DATA", "`0`",
		"`1` encrypts the text of messages, results and drafts with a key of each organization; see [operations](operations.md#encryption-of-stored-data)."},
	{"Storage", "STOCKHAND_NATS_URL", "a NATS server inside the process",
		"NATS server with JetStream that all replicas share, such as `tls://user:password@nats.example.org:4222`. May contain a secret."},
	{"Storage", "STOCKHAND_TRUSTED_NETWORK", "`0`",
		"`1` allows Postgres and NATS on other hosts without TLS or a login. Only for a network that nothing else can reach or overhear."},
	{"Server", "STOCKHAND_ADDR", "`127.0.0.1:8080`",
		"Address that `serve` and `demo` listen on. Port 0 picks a free port."},
	{"Server", "STOCKHAND_METRICS_ADDR", "none",
		"Address on which `/metrics` is served over HTTP, without a token, such as `127.0.0.1:9090`. It must not be public."},
	{"Server", "STOCKHAND_PUBLIC_URL", "the listening address",
		"Address under which clients reach the server. It is used in links."},
	{"Server", "STOCKHAND_TLS_CERT_FILE", "",
		"Certificate file (PEM). With `STOCKHAND_TLS_KEY_FILE` the server speaks HTTPS."},
	{"Server", "STOCKHAND_TLS_KEY_FILE", "", "Private key file (PEM) of that certificate."},
	{"Server", "STOCKHAND_ORGANIZATION", "`Stockhand`",
		"Name of the first organization, created when the database is empty."},
	{"Server", "STOCKHAND_OWNER_EMAIL", "`owner@localhost`", "Email address of its owner."},
	{"Server", "STOCKHAND_SIGN_UP", "`invited`",
		"Who may create accounts: `invited` people for themselves, with the token of an invitation, or only the `operator` (the command line)."},
	{"Server", "STOCKHAND_CREATE_ORGANIZATIONS", "`operator`",
		"Who may create organizations: `operator` (the command line) or `anyone` who has a user token."},
	{"Server", "STOCKHAND_INVITATION_DAYS", "`7`", "How many days an invitation can be accepted, 1–30."},
	{"Server", "STOCKHAND_SIGN_IN_IDLE_HOURS", "`12`",
		"After how many hours without a request a person's sign-in ends, 1–720."},
	{"Server", "STOCKHAND_SIGN_IN_DAYS", "`7`", "After how many days a person's sign-in ends in any case, 1–90."},
	{"Server", "STOCKHAND_OIDC_ISSUER", "none",
		"Address of an OpenID provider with whose accounts people sign in. Register `/sign-in/oidc/callback` of this server there."},
	{"Server", "STOCKHAND_OIDC_CLIENT_ID", "", "ID of this installation at the provider."},
	{"Server", "STOCKHAND_OIDC_CLIENT_SECRET", "", "Its secret at the provider. Secret."},
	{"Server", "STOCKHAND_OIDC_DOMAINS", "none",
		"Domains of emails, separated by commas, whose owners may sign in without an invitation. The provider must have verified the email."},
	{"Server", "STOCKHAND_RATE_LIMIT", "`100:200`",
		"Requests a second allowed for each key or user, with an optional burst: `50`, `50:200` or `off`. Replicas with a shared NATS server count together."},
	{"Server", "STOCKHAND_ORG_RATE_LIMIT", "three times `STOCKHAND_RATE_LIMIT`",
		"The same for each organization, over all its keys and users."},
	{"Server", "STOCKHAND_MAX_RUNS", "`200:600`",
		"Unfinished tasks that an actor and an organization may have. More are refused with 429."},
	{"Server", "STOCKHAND_STREAMS", "`50:200`",
		"Event streams, chats and MCP calls that an actor and an organization may have open at one replica. More are refused with 429."},
	{"Server", "STOCKHAND_RETENTION", "everything is kept",
		"After how many days sessions, the rows of results and audit entries are deleted, and answers to requests with an `Idempotency-Key` (1 by default, at most 7); after a colon the most that an organization may set: `sessions=365,results=30:90,audit=1095,answers=1:7`."},
	{"Server", "STOCKHAND_QUOTA", "`results=10240,sessions=1000000,messages=5000000,drafts=1000000`",
		"MiB of results and numbers of sessions, messages and drafts that an organization may store. Then new tasks are refused with 409. `off` is no limit, for one (`drafts=off`) or for all. `stockhand orgs quota` sets another for one organization."},
	{"Server", "STOCKHAND_FACTS", "`30:256`",
		"How many days documents and goods that were read from external accounts are kept to answer the next question sooner, and the most MiB for an organization. `off` keeps none."},
	{"Server", "STOCKHAND_TRAFFIC", "`off`",
		"How many days what runs ask accounts and models is kept, so that their conversations can be exported as " +
			"[cassettes](replay.md), and the most MiB for an organization: `7:256`. Such runs read everything again."},
	{"Server", "STOCKHAND_WORKERS", "`16`", "Tasks that one replica works on at once, without those that wait."},
	{"Server", "STOCKHAND_STARTED_RUNS", "`16:24:32:256`",
		"Tasks that one replica has begun and not finished: of an actor, a connection, an organization and altogether."},
	{"Server", "STOCKHAND_CORS_ORIGINS", "none",
		"Origins whose pages may call the API from a browser, separated by commas."},
	{"Server", "STOCKHAND_TRUSTED_PROXIES", "none",
		"Addresses and networks of proxies whose `X-Forwarded-For` is trusted, separated by commas."},
	{"Server", "STOCKHAND_AUDIT_SYSLOG", "none",
		"Where the audit logs are streamed as RFC 5424: `tls://host:6514`, `tcp://127.0.0.1:514` or `unix:///path` of a stream socket."},
	{"Server", "STOCKHAND_AUDIT_WEBHOOK", "none",
		"Address to which the audit logs are posted as JSON lines. One in a private network also needs `STOCKHAND_MCP_PRIVATE`."},
	{"Server", "STOCKHAND_AUDIT_WEBHOOK_SECRET", "",
		"Signs what is posted there, as Standard Webhooks describe: `whsec_` and at least 24 bytes in base64. Secret."},
	{"Server", "STOCKHAND_LOG_FORMAT", "`text`", "Log format: `text` or `json`."},
	{"Server", "STOCKHAND_LOG_LEVEL", "`info`", "Log level: `debug`, `info`, `warn` or `error`."},
	{"Connectors", "STOCKHAND_MOYSKLAD_URL", "`https://api.moysklad.ru/api/remap/1.2`",
		"Another server of the MoySklad API, for example the sandbox."},
	{"Connectors", "STOCKHAND_MCP_PRIVATE", "none",
		"Networks of the operator in which users may connect MCP servers, separated by commas: `10.1.0.0/16`. Loopback, link-local and other special addresses have to be listed as such, for example `127.0.0.1`."},
	{"Language models", "STOCKHAND_LLM_FILE", "",
		"JSON file with providers, models and budgets; see [models](models.md). It replaces the next four variables."},
	{"Language models", "STOCKHAND_LLM_BASE_URL", "no model",
		"Base URL of an OpenAI-compatible server, with the version: `http://127.0.0.1:11434/v1`."},
	{"Language models", "STOCKHAND_LLM_MODEL", "", "Model name at that server."},
	{"Language models", "STOCKHAND_LLM_API_KEY", "", "API key of that server. Secret."},
	{"Language models", "STOCKHAND_LLM_CA_FILE", "",
		"PEM file with additional certificate authorities for that server."},
	{"Language models", "STOCKHAND_LLM_READER", "`first`",
		"What the built-in reader does before the model is asked. `first`: it answers a task that it " +
			"understands completely, and tells the model how it understood another. `hint`: it tells the " +
			"model, and makes the reads that it is certain of before. `off`: neither."},
	{"Language models", "STOCKHAND_LLM_MAX_ITERATIONS", "`25`", "How many times one run may call the model, 1–50."},
	{"Language models", "STOCKHAND_LLM_RUN_TOKENS", "`200000`", "Token budget of one run."},
	{"Language models", "STOCKHAND_LLM_MONTH_TOKENS", "`10000000`",
		"Token budget of one organization in a calendar month (UTC); `-1` is no limit."},
	{"Language models", "STOCKHAND_LLM_PASS_THROUGH", "none",
		"Models that callers of `/v1/chat/completions`, `/v1/responses` and `/v1/embeddings` may use, as `provider/model`, separated by commas; the provider of the variables above is `default`. Needs a month's budget to be set."},
}

// settingsTable returns the settings as Markdown tables, one per group.
func settingsTable() string {
	var b strings.Builder
	for i, s := range settings {
		if i == 0 || s.group != settings[i-1].group {
			fmt.Fprintf(&b, "\n## %s\n\n| variable | default | meaning |\n|---|---|---|\n", s.group)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.name, s.def, s.meaning)
	}
	return b.String()
}

// UnknownSettings returns names in an environment, in the format of os.Environ, that look like settings but are
// unknown.
func UnknownSettings(environment []string) (unknown []string) {
	for _, e := range environment {
		name, _, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, "STOCKHAND_") && !strings.HasPrefix(name, "STOCKHAND_TEST_") &&
			!slices.ContainsFunc(settings, func(s setting) bool { return s.name == name }) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

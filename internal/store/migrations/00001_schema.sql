-- The whole schema of version 1.
--
-- It is valid on both Postgres and SQLite: the types are TEXT, BIGINT (times are microseconds since 1970, UTC), BOOLEAN
-- and BYTEA. Every primary and foreign key of an organization's row starts with the organization, so a row cannot refer
-- to another organization's row. Users and their tokens belong to the installation, because a person may be a member of
-- several organizations.
--
-- What people write and tools return is BYTEA, because it may be encrypted: see internal/store/content.
--
-- A draft refers to its session, run and connection without a foreign key, because it outlives them: the record of what
-- was written to the external system remains after the conversation is deleted.

-- +goose Up

CREATE TABLE organizations (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    policy     TEXT   NOT NULL -- a JSON object: what it demands of keys and tokens
);

CREATE TABLE connections (
    org_id         TEXT    NOT NULL REFERENCES organizations (id),
    id             TEXT    NOT NULL,
    connector      TEXT    NOT NULL,
    account_id     TEXT    NOT NULL,
    label          TEXT    NOT NULL,
    employee       TEXT    NOT NULL,
    rights         TEXT    NOT NULL, -- a JSON array of strings
    sealed         BYTEA   NOT NULL,
    created_at     BIGINT  NOT NULL,
    organization   TEXT    NOT NULL,
    created_by     TEXT    NOT NULL,
    gateway_writes BOOLEAN NOT NULL,
    verified_at    BIGINT  NOT NULL,
    problem        TEXT    NOT NULL,
    login          TEXT    NOT NULL, -- empty where the connector has no logins
    PRIMARY KEY (org_id, id)
);
CREATE INDEX connections_by_account ON connections (org_id, connector, account_id);
CREATE UNIQUE INDEX connections_by_employee ON connections (org_id, connector, account_id, login) WHERE login <> '';

-- What was read from external accounts and can be read again. It may disappear at any time.
CREATE TABLE kept_facts (
    org_id        TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    name          TEXT   NOT NULL,
    rights        TEXT   NOT NULL, -- a hash of the token and the rights that it was read with
    version       BIGINT NOT NULL,
    read_at       BIGINT NOT NULL, -- of the oldest part
    size          BIGINT NOT NULL,
    body          BYTEA  NOT NULL,
    PRIMARY KEY (org_id, connection_id, name),
    FOREIGN KEY (org_id, connection_id) REFERENCES connections (org_id, id) ON DELETE CASCADE
);
CREATE INDEX kept_facts_by_age ON kept_facts (read_at);

CREATE TABLE sessions (
    org_id        TEXT   NOT NULL REFERENCES organizations (id),
    id            TEXT   NOT NULL,
    title         BYTEA  NOT NULL,
    connection_id TEXT, -- null until the session has an account
    messages      BIGINT NOT NULL, -- number of messages: the seq of the last one
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    kind          TEXT   NOT NULL,
    agent_id      TEXT   NOT NULL,
    created_by    TEXT   NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, connection_id) REFERENCES connections (org_id, id)
);
CREATE INDEX sessions_by_connection ON sessions (org_id, connection_id);
CREATE INDEX sessions_by_kind ON sessions (org_id, kind, id);
CREATE INDEX sessions_by_actor ON sessions (org_id, created_by, kind, id);
CREATE INDEX sessions_by_age ON sessions (org_id, updated_at);

-- Answers in the format of OpenAI's Responses API, which a later request may continue.
CREATE TABLE responses (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    id         TEXT   NOT NULL,
    session_id TEXT, -- of an agent's answer; null for a model of a provider
    body       BYTEA  NOT NULL, -- JSON, written by internal/openai
    created_by TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id) ON DELETE CASCADE
);
CREATE INDEX responses_by_session ON responses (org_id, session_id);
CREATE INDEX responses_by_expiry ON responses (expires_at);

CREATE TABLE messages (
    org_id     TEXT   NOT NULL,
    id         TEXT   NOT NULL,
    session_id TEXT   NOT NULL,
    seq        BIGINT NOT NULL, -- order within the session, from 1; IDs created in the same millisecond do not sort
    author     TEXT   NOT NULL,
    text       BYTEA  NOT NULL,
    run_id     TEXT   NOT NULL, -- no foreign key: the message is stored before the run that refers to it
    created_at BIGINT NOT NULL,
    created_by TEXT   NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, session_id, seq),
    FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id) ON DELETE CASCADE
);

CREATE TABLE runs (
    org_id        TEXT   NOT NULL,
    id            TEXT   NOT NULL,
    session_id    TEXT   NOT NULL,
    message_id    TEXT   NOT NULL,
    connection_id TEXT   NOT NULL, -- the session's at the time; empty where it had none
    state         TEXT   NOT NULL,
    generation    BIGINT NOT NULL,
    events        BIGINT NOT NULL, -- number of events in the log: the seq of the last one
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    created_by    TEXT   NOT NULL,
    requests      BIGINT NOT NULL DEFAULT 0,
    input_tokens  BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cached_tokens BIGINT NOT NULL DEFAULT 0, -- of the input tokens
    cost          BIGINT NOT NULL DEFAULT 0, -- millionths
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id) ON DELETE CASCADE,
    FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id) ON DELETE CASCADE
);
-- What runs asked accounts and models, if the operator keeps it; written by internal/traffic.
CREATE TABLE run_traffic (
    org_id     TEXT   NOT NULL,
    run_id     TEXT   NOT NULL,
    body       BYTEA  NOT NULL, -- a cassette of one turn
    size       BIGINT NOT NULL, -- of the body before it is sealed
    created_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, run_id),
    FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE
);
CREATE INDEX run_traffic_by_age ON run_traffic (created_at);

CREATE INDEX runs_by_session ON runs (org_id, session_id, id);
CREATE INDEX runs_by_message ON runs (org_id, message_id);
CREATE INDEX runs_by_state ON runs (org_id, state, id);
CREATE INDEX runs_unfinished ON runs (updated_at) WHERE state IN ('queued', 'running');
CREATE INDEX runs_unfinished_by_actor ON runs (org_id, created_by) WHERE state IN ('queued', 'running');
CREATE INDEX runs_unfinished_by_session ON runs (org_id, session_id) WHERE state IN ('queued', 'running');

CREATE TABLE events (
    org_id TEXT   NOT NULL,
    run_id TEXT   NOT NULL,
    seq    BIGINT NOT NULL, -- from 1, without gaps
    type   TEXT   NOT NULL,
    data   BYTEA  NOT NULL, -- JSON
    at     BIGINT NOT NULL,
    PRIMARY KEY (org_id, run_id, seq),
    FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE
);

CREATE TABLE results (
    org_id     TEXT   NOT NULL,
    id         TEXT   NOT NULL,
    run_id     TEXT   NOT NULL,
    tool       TEXT   NOT NULL,
    head       BYTEA  NOT NULL, -- JSON: the result without its rows
    row_count  BIGINT NOT NULL,
    stored     BIGINT NOT NULL, -- bytes of the head and the pages as stored
    created_at BIGINT NOT NULL,
    rows_state TEXT   NOT NULL DEFAULT 'stored', -- after the retention time 'expiring' until all pages are deleted, then 'expired'
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE
);
CREATE INDEX results_by_run ON results (org_id, run_id, id);
CREATE INDEX results_by_size ON results (org_id, stored);
CREATE INDEX results_by_age ON results (org_id, created_at) WHERE rows_state = 'stored';
CREATE INDEX results_expiring ON results (org_id, id) WHERE rows_state = 'expiring';

-- The rows of results, in pages. Reading one row reads one page.
CREATE TABLE result_pages (
    org_id    TEXT   NOT NULL,
    result_id TEXT   NOT NULL,
    first_row BIGINT NOT NULL, -- the position of the page's first row in the result, from 0
    row_count BIGINT NOT NULL,
    size      BIGINT NOT NULL, -- bytes of the JSON body
    encoding  TEXT   NOT NULL, -- the encoding of body: 'json' or 'gzip'
    body      BYTEA  NOT NULL, -- a JSON array
    PRIMARY KEY (org_id, result_id, first_row),
    FOREIGN KEY (org_id, result_id) REFERENCES results (org_id, id) ON DELETE CASCADE
);

CREATE TABLE tool_calls (
    org_id      TEXT    NOT NULL,
    run_id      TEXT    NOT NULL,
    seq         BIGINT  NOT NULL, -- order within the run, from 1
    tool        TEXT    NOT NULL,
    arguments   BYTEA   NOT NULL, -- JSON
    done        BOOLEAN NOT NULL,
    error       BYTEA   NOT NULL,
    result_id   TEXT    NOT NULL, -- empty if none; no foreign key: both are deleted with the run, in any order
    requests    BIGINT  NOT NULL,
    started_at  BIGINT  NOT NULL,
    finished_at BIGINT  NOT NULL, -- 0 until finished
    step        BIGINT  NOT NULL,
    call_id     TEXT    NOT NULL,
    PRIMARY KEY (org_id, run_id, seq),
    FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE
);

CREATE TABLE drafts (
    org_id        TEXT   NOT NULL REFERENCES organizations (id),
    id            TEXT   NOT NULL,
    session_id    TEXT   NOT NULL, -- empty for a draft created by a direct call
    run_id        TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    account_id    TEXT   NOT NULL,
    tool          TEXT   NOT NULL,
    title         BYTEA  NOT NULL,
    language      TEXT   NOT NULL,
    version       BIGINT NOT NULL, -- the current version, from 1
    undoes        TEXT   NOT NULL, -- the draft that this one undoes; empty for others
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    created_by    TEXT   NOT NULL,
    editors       TEXT   NOT NULL, -- a JSON array: the actors who edited it
    PRIMARY KEY (org_id, id)
);
CREATE INDEX drafts_by_original ON drafts (org_id, undoes) WHERE undoes <> '';
CREATE INDEX drafts_by_actor ON drafts (org_id, created_by, id);
CREATE INDEX drafts_by_session ON drafts (org_id, session_id);

CREATE TABLE draft_versions (
    org_id   TEXT   NOT NULL,
    draft_id TEXT   NOT NULL,
    version  BIGINT NOT NULL,
    body     BYTEA  NOT NULL, -- JSON: the proposal in this version
    made_at  BIGINT NOT NULL,
    PRIMARY KEY (org_id, draft_id, version),
    FOREIGN KEY (org_id, draft_id) REFERENCES drafts (org_id, id)
);

CREATE TABLE draft_documents (
    org_id       TEXT   NOT NULL,
    id           TEXT   NOT NULL,
    draft_id     TEXT   NOT NULL,
    position     BIGINT NOT NULL, -- order within the draft, from 1
    state        TEXT   NOT NULL,
    version      BIGINT NOT NULL, -- the confirmed version; 0 while pending
    fingerprint  TEXT   NOT NULL,
    approved_by  TEXT   NOT NULL, -- the first of two approvers; empty without one
    approved     BIGINT NOT NULL, -- the version that was approved first; counts for no other version
    confirmed_by TEXT   NOT NULL,
    attempt      BIGINT NOT NULL, -- fencing token: a worker with an older attempt has lost the document
    outcome      BYTEA  NOT NULL, -- JSON; empty until known
    problem      BYTEA  NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, draft_id) REFERENCES drafts (org_id, id)
);
CREATE INDEX draft_documents_by_draft ON draft_documents (org_id, draft_id, position);
CREATE INDEX draft_documents_applied ON draft_documents (org_id, updated_at) WHERE state = 'applied';
CREATE INDEX draft_documents_unsettled ON draft_documents (updated_at) WHERE state IN ('confirmed', 'applying', 'unknown');

CREATE TABLE settings (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    name       TEXT   NOT NULL,
    value      TEXT   NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, name)
);

-- Who stopped all writes to external systems: of an organization, or of the whole installation.
CREATE TABLE write_stops (
    org_id     TEXT   NOT NULL PRIMARY KEY,
    stopped_by TEXT   NOT NULL,
    stopped_at BIGINT NOT NULL
);

-- The last entry of each chain. Its row lock serializes appends, and it reveals entries removed from the end. The
-- installation has a chain, too, so org_id has no foreign key here and in audit_entries.
CREATE TABLE audit_heads (
    org_id  TEXT   NOT NULL PRIMARY KEY,
    seq     BIGINT NOT NULL,
    hash    TEXT   NOT NULL,
    trimmed BIGINT NOT NULL -- the last entry removed after its retention time; 0 for none
);

-- Append-only: migration 2 makes the database refuse every UPDATE, and every DELETE after audit_heads.trimmed.
CREATE TABLE audit_entries (
    org_id      TEXT   NOT NULL,
    seq         BIGINT NOT NULL, -- from 1, without gaps
    at          BIGINT NOT NULL,
    actor       TEXT   NOT NULL,
    action      TEXT   NOT NULL,
    draft_id    TEXT   NOT NULL,
    document_id TEXT   NOT NULL,
    version     BIGINT NOT NULL,
    external    TEXT   NOT NULL,
    detail      TEXT   NOT NULL, -- JSON, stored byte for byte because it is hashed
    previous    TEXT   NOT NULL,
    hash        TEXT   NOT NULL,
    PRIMARY KEY (org_id, seq)
);

-- How far each audit log was streamed to a sink.
CREATE TABLE audit_positions (
    sink   TEXT   NOT NULL,
    org_id TEXT   NOT NULL,
    seq    BIGINT NOT NULL,
    PRIMARY KEY (sink, org_id)
);

-- Work that one replica does at a time, and which one does it.
CREATE TABLE leases (
    name       TEXT   NOT NULL PRIMARY KEY,
    holder     TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE TABLE users (
    id              TEXT   NOT NULL PRIMARY KEY,
    email           TEXT   NOT NULL UNIQUE, -- in lower case
    name            TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    disabled_at     BIGINT NOT NULL, -- 0 unless the account is disabled
    email_proven_at BIGINT NOT NULL -- 0 while only the token of an invitation says that the address is theirs
);

CREATE TABLE user_tokens (
    id           TEXT   NOT NULL PRIMARY KEY,
    user_id      TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT   NOT NULL,
    prefix       TEXT   NOT NULL,
    hash         BYTEA  NOT NULL UNIQUE, -- HMAC-SHA-256 of the token with the server's pepper
    org_id       TEXT   NOT NULL, -- the only organization that it may act in; empty for all of the user's
    created_at   BIGINT NOT NULL,
    since        BIGINT NOT NULL, -- when the first of the tokens was created that led to this one
    expires_at   BIGINT NOT NULL, -- 0 for never
    last_used_at BIGINT NOT NULL, -- 0 for never
    revoked_at   BIGINT NOT NULL -- 0 if not revoked
);
CREATE INDEX user_tokens_by_user ON user_tokens (user_id, id);

-- Tokens of all of a person's organizations that may no longer act in one of them.
CREATE TABLE token_exclusions (
    org_id   TEXT NOT NULL REFERENCES organizations (id),
    token_id TEXT NOT NULL REFERENCES user_tokens (id) ON DELETE CASCADE,
    PRIMARY KEY (org_id, token_id)
);
CREATE INDEX token_exclusions_by_token ON token_exclusions (token_id);

-- People's sign-ins: the sessions of their browsers. A sign-in that ends is deleted.
CREATE TABLE sign_ins (
    id           TEXT   NOT NULL PRIMARY KEY,
    user_id      TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    method       TEXT   NOT NULL, -- how the person proved who they are
    hash         BYTEA  NOT NULL UNIQUE, -- HMAC-SHA-256 of the cookie with the server's pepper
    address      TEXT   NOT NULL, -- where it began
    browser      TEXT   NOT NULL, -- the User-Agent header
    created_at   BIGINT NOT NULL,
    proven_at    BIGINT NOT NULL, -- when the person last proved who they are
    last_used_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX sign_ins_by_user ON sign_ins (user_id, id);

CREATE TABLE passkeys (
    id           TEXT   NOT NULL PRIMARY KEY,
    user_id      TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT   NOT NULL,
    credential   BYTEA  NOT NULL UNIQUE, -- the device's ID of it
    public_key   BYTEA  NOT NULL, -- in COSE format
    uses         BIGINT NOT NULL, -- the device's count of its signatures; 0 if it does not count
    synced       BIGINT NOT NULL, -- 1 if the device may copy it
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL -- 0 if it was never used
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);

CREATE TABLE passwords (
    user_id    TEXT   NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    hash       TEXT   NOT NULL, -- Argon2id in PHC string format
    changed_at BIGINT NOT NULL
);

-- One-time codes of an app. The shared secret is derived from the nonce and the server's pepper.
CREATE TABLE second_factors (
    user_id      TEXT   NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    nonce        TEXT   NOT NULL,
    confirmed_at BIGINT NOT NULL, -- 0 until a code was given
    last_step    BIGINT NOT NULL -- the time step of the last code that was accepted
);

CREATE TABLE recovery_codes (
    user_id TEXT  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash    BYTEA NOT NULL, -- HMAC-SHA-256 of the code with the server's pepper
    PRIMARY KEY (user_id, hash)
);

-- The processes that serve, each by its last sign of life.
CREATE TABLE replicas (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL, -- of its machine
    version    TEXT    NOT NULL,
    started_at BIGINT  NOT NULL,
    seen_at    BIGINT  NOT NULL,
    memory     BIGINT  NOT NULL, -- bytes that it holds
    working    BIGINT  NOT NULL, -- runs that it works on
    queue      BOOLEAN NOT NULL  -- it reaches the work engine
);

-- People's accounts at an OpenID provider.
CREATE TABLE identities (
    id         TEXT   NOT NULL UNIQUE,
    issuer     TEXT   NOT NULL,
    subject    TEXT   NOT NULL, -- the provider's ID of the person
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);

-- Secrets that can be used once: links, and the state of a sign-in that takes several requests.
CREATE TABLE one_time_secrets (
    hash       BYTEA  NOT NULL PRIMARY KEY, -- HMAC-SHA-256 of the secret with the server's pepper
    purpose    TEXT   NOT NULL,
    user_id    TEXT   REFERENCES users (id) ON DELETE CASCADE, -- null where the person is not known yet
    data       TEXT   NOT NULL, -- JSON
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX one_time_secrets_by_user ON one_time_secrets (user_id);
CREATE INDEX one_time_secrets_by_expiry ON one_time_secrets (expires_at);

-- Attempts to sign in, of an account or an address. Each moves free_at on, which is never far ahead of now.
CREATE TABLE attempts (
    name    BYTEA  NOT NULL PRIMARY KEY, -- HMAC-SHA-256 of what is counted with the server's pepper
    free_at BIGINT NOT NULL -- when none of the attempts counts any more
);
CREATE INDEX attempts_by_time ON attempts (free_at);

CREATE TABLE members (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    home       BOOLEAN NOT NULL, -- where the person's calls go that name no organization
    PRIMARY KEY (org_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id);
CREATE UNIQUE INDEX members_home ON members (user_id) WHERE home;

-- Offers of membership. A row has an email and refers to no user: there may be none.
CREATE TABLE invitations (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    id         TEXT   NOT NULL,
    email      TEXT   NOT NULL, -- in lower case
    role       TEXT   NOT NULL,
    hash       BYTEA  NOT NULL UNIQUE, -- HMAC-SHA-256 of the token under the server's pepper
    created_by TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    state      TEXT   NOT NULL, -- 'pending', 'accepted', 'declined' or 'revoked'
    PRIMARY KEY (org_id, id)
);
CREATE INDEX invitations_by_email ON invitations (email, id) WHERE state = 'pending';
CREATE UNIQUE INDEX invitations_pending ON invitations (org_id, email) WHERE state = 'pending';

CREATE TABLE api_keys (
    org_id       TEXT   NOT NULL REFERENCES organizations (id),
    id           TEXT   NOT NULL,
    name         TEXT   NOT NULL,
    prefix       TEXT   NOT NULL,
    hash         BYTEA  NOT NULL UNIQUE, -- HMAC-SHA-256 of the secret with the server's pepper
    scopes       TEXT   NOT NULL, -- a JSON array
    allowed_ips  TEXT   NOT NULL, -- a JSON array; empty means any
    binding      TEXT   NOT NULL, -- a JSON object: the connections, agents and tools that it is bound to
    created_by   TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL, -- 0 for never
    revoked_at   BIGINT NOT NULL, -- 0 if not revoked
    replaces     TEXT   NOT NULL, -- the key that this one replaced; empty for others
    parent       TEXT   NOT NULL, -- the key that created it; empty if a person did
    used_scopes  TEXT   NOT NULL, -- JSON: time of last use by scope, in microseconds
    PRIMARY KEY (org_id, id)
);
CREATE INDEX api_keys_by_parent ON api_keys (org_id, parent) WHERE parent <> '';

-- One row. The version grows with every change of permissions, so that replicas know when to drop cached callers.
CREATE TABLE auth_version (
    id      BIGINT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL
);
INSERT INTO auth_version (id, version) VALUES (1, 1);

-- The installation's own secrets, encrypted like credentials: the pepper of keys and tokens.
CREATE TABLE installation_secrets (
    name       TEXT   NOT NULL PRIMARY KEY,
    sealed     BYTEA  NOT NULL,
    created_at BIGINT NOT NULL
);

-- The keys that encrypt the contents of organizations, encrypted like credentials. See internal/store/datakey.
CREATE TABLE data_keys (
    org_id     TEXT   NOT NULL PRIMARY KEY REFERENCES organizations (id),
    sealed     BYTEA  NOT NULL, -- empty once it is destroyed
    created_at BIGINT NOT NULL,
    erased_at  BIGINT NOT NULL -- 0 unless it is destroyed
);

-- The model's answers within a run, for recovery after a crash.
CREATE TABLE model_steps (
    org_id        TEXT   NOT NULL,
    run_id        TEXT   NOT NULL,
    seq           BIGINT NOT NULL,
    message       BYTEA  NOT NULL, -- JSON
    model         TEXT   NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL, -- of the input tokens
    cost          BIGINT NOT NULL, -- millionths
    at            BIGINT NOT NULL,
    PRIMARY KEY (org_id, run_id, seq),
    FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE
);

-- Usage by actor and day. It outlives the sessions that it came from.
CREATE TABLE usage (
    org_id        TEXT   NOT NULL REFERENCES organizations (id),
    day           TEXT   NOT NULL, -- UTC, for example 2026-11-21
    created_by    TEXT   NOT NULL,
    runs          BIGINT NOT NULL,
    requests      BIGINT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL, -- of the input tokens
    cost          BIGINT NOT NULL, -- millionths
    PRIMARY KEY (org_id, day, created_by)
);

-- What models were used for whom: by day, actor and model. It outlives the sessions that it came from.
CREATE TABLE model_usage (
    org_id        TEXT   NOT NULL REFERENCES organizations (id),
    day           TEXT   NOT NULL, -- UTC, for example 2026-11-21
    created_by    TEXT   NOT NULL,
    model         TEXT   NOT NULL, -- provider/model
    calls         BIGINT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    money         BIGINT NOT NULL, -- millionths of the currency of the prices
    PRIMARY KEY (org_id, day, created_by, model)
);

-- Model budgets by organization and month: reserved before a call, settled after it. A reservation that was never
-- settled belongs to a process that died.
CREATE TABLE model_budgets (
    org_id          TEXT   NOT NULL REFERENCES organizations (id),
    period          TEXT   NOT NULL, -- month in UTC, for example 2026-11
    tokens_spent    BIGINT NOT NULL,
    tokens_reserved BIGINT NOT NULL,
    money_spent     BIGINT NOT NULL, -- millionths of the budget's currency
    money_reserved  BIGINT NOT NULL,
    PRIMARY KEY (org_id, period)
);
CREATE TABLE model_reservations (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    id         TEXT   NOT NULL,
    period     TEXT   NOT NULL,
    tokens     BIGINT NOT NULL,
    money      BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, id)
);

CREATE TABLE agents (
    org_id       TEXT   NOT NULL REFERENCES organizations (id),
    id           TEXT   NOT NULL,
    name         TEXT   NOT NULL,
    description  TEXT   NOT NULL,
    instructions TEXT   NOT NULL,
    tools        TEXT   NOT NULL, -- a JSON array; empty means all
    connections  TEXT   NOT NULL, -- a JSON array; empty means all
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX agents_by_name ON agents (org_id, name);

-- The measures that organizations define.
CREATE TABLE measures (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    name       TEXT   NOT NULL,
    definition TEXT   NOT NULL, -- a JSON object, written by internal/measure
    updated_by TEXT   NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, name)
);

-- Questions that an organization keeps on its start page: calls of read tools.
CREATE TABLE reports (
    org_id        TEXT   NOT NULL REFERENCES organizations (id),
    id            TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    body          BYTEA  NOT NULL, -- a JSON object, written by internal/reports
    created_by    TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, connection_id) REFERENCES connections (org_id, id) ON DELETE CASCADE
);
CREATE INDEX reports_by_connection ON reports (org_id, connection_id);

-- Conversations at the top of somebody's list.
CREATE TABLE session_pins (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    session_id TEXT   NOT NULL,
    actor      TEXT   NOT NULL, -- whose list; empty: everyone's, who may read the organization's data
    pinned_at  BIGINT NOT NULL,
    PRIMARY KEY (org_id, session_id, actor),
    FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id) ON DELETE CASCADE
);
CREATE INDEX session_pins_by_actor ON session_pins (org_id, actor, pinned_at);

-- The first responses to writes with an Idempotency-Key. A row without a response belongs to a running request, or to a
-- process that crashed.
CREATE TABLE idempotency (
    org_id      TEXT   NOT NULL, -- the organization, or the user for requests outside any organization
    created_by  TEXT   NOT NULL, -- the actor; each actor has separate keys
    id          TEXT   NOT NULL, -- the header's value
    fingerprint TEXT   NOT NULL, -- hash of the method, path and body
    status      BIGINT NOT NULL, -- 0 until answered
    header      TEXT   NOT NULL, -- JSON
    body        BYTEA  NOT NULL,
    created_at  BIGINT NOT NULL, -- or when the running request last renewed its claim
    expires_at  BIGINT NOT NULL, -- 0 is never: a write whose outcome is unknown is not repeated
    PRIMARY KEY (org_id, created_by, id)
);
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

-- The requests to each external account that count against its limits, shared by all replicas: a JSON value updated by
-- compare-and-swap on its version. Rows belong to external accounts, not organizations: two organizations may connect
-- the same account.
CREATE TABLE request_places (
    server     TEXT   NOT NULL, -- the address of the external system, or a name for it
    account    TEXT   NOT NULL, -- empty while the account of a request is unknown
    version    BIGINT NOT NULL,
    places     TEXT   NOT NULL, -- JSON, written by internal/limit
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (server, account)
);

-- The latest requests of an organization to the API, without paths, queries and bodies; see internal/api/requestlog.
CREATE TABLE api_requests (
    org_id     TEXT   NOT NULL,
    id         TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    method     TEXT   NOT NULL,
    route      TEXT   NOT NULL, -- its pattern, such as /api/v1/drafts/{draft_id}
    status     BIGINT NOT NULL,
    took       BIGINT NOT NULL, -- microseconds
    created_by TEXT   NOT NULL, -- the actor
    code       TEXT   NOT NULL, -- of an error; empty otherwise
    request_id TEXT   NOT NULL,
    PRIMARY KEY (org_id, id)
);

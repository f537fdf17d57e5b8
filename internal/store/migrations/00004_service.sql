-- Who may call, what was used, and what the service needs beside conversations.
--
-- Users and their tokens belong to the installation, not to an organization: a person may be a member of several.

-- +goose Up

CREATE TABLE users (
    id         TEXT   NOT NULL PRIMARY KEY,
    email      TEXT   NOT NULL UNIQUE, -- in lower case
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE user_tokens (
    id           TEXT   NOT NULL PRIMARY KEY,
    user_id      TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT   NOT NULL,
    prefix       TEXT   NOT NULL,
    hash         BYTEA  NOT NULL UNIQUE, -- HMAC-SHA-256 of the token under the server's pepper
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL, -- 0 for never
    last_used_at BIGINT NOT NULL, -- 0 for never
    revoked_at   BIGINT NOT NULL  -- 0 while it is good
);
CREATE INDEX user_tokens_by_user ON user_tokens (user_id, id);

CREATE TABLE members (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id);

CREATE TABLE api_keys (
    org_id       TEXT   NOT NULL REFERENCES organizations (id),
    id           TEXT   NOT NULL,
    name         TEXT   NOT NULL,
    prefix       TEXT   NOT NULL,
    hash         BYTEA  NOT NULL UNIQUE, -- HMAC-SHA-256 of the secret under the server's pepper
    scopes       TEXT   NOT NULL, -- a JSON array
    allowed_ips  TEXT   NOT NULL, -- a JSON array; empty means any
    created_by   TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL, -- 0 for never
    revoked_at   BIGINT NOT NULL, -- 0 while it is good
    replaces     TEXT   NOT NULL, -- the key that this one took over from; empty for others
    used_scopes  TEXT   NOT NULL, -- JSON: scope to the microsecond of its last use
    PRIMARY KEY (org_id, id)
);

-- One row: grows with every change of who may call, so that a replica that remembers callers sees that it must forget.
CREATE TABLE auth_version (
    id      BIGINT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL
);
INSERT INTO auth_version (id, version) VALUES (1, 1);

-- What the installation itself keeps secret, sealed like credentials: the pepper of keys and tokens.
CREATE TABLE installation_secrets (
    name       TEXT   NOT NULL PRIMARY KEY,
    sealed     BYTEA  NOT NULL,
    created_at BIGINT NOT NULL
);

ALTER TABLE connections ADD COLUMN organization TEXT NOT NULL DEFAULT '';
ALTER TABLE connections ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
ALTER TABLE connections ADD COLUMN gateway_writes BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE connections ADD COLUMN verified_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE connections ADD COLUMN problem TEXT NOT NULL DEFAULT '';
ALTER TABLE connections ADD COLUMN login TEXT NOT NULL DEFAULT ''; -- empty for one made before logins were kept
CREATE UNIQUE INDEX connections_by_employee ON connections (org_id, connector, account_id, login) WHERE login <> '';

ALTER TABLE sessions ADD COLUMN kind TEXT NOT NULL DEFAULT 'chat';
ALTER TABLE sessions ADD COLUMN agent_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_by_kind ON sessions (org_id, kind, id);
CREATE INDEX sessions_by_actor ON sessions (org_id, created_by, kind, id);

ALTER TABLE messages ADD COLUMN created_by TEXT NOT NULL DEFAULT '';

ALTER TABLE runs ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN requests BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN input_tokens BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN output_tokens BIGINT NOT NULL DEFAULT 0;
CREATE INDEX runs_unfinished_by_session ON runs (org_id, session_id) WHERE state IN ('queued', 'running');

ALTER TABLE drafts ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
CREATE INDEX drafts_by_actor ON drafts (org_id, created_by, id);

ALTER TABLE tool_calls ADD COLUMN step BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tool_calls ADD COLUMN call_id TEXT NOT NULL DEFAULT '';

-- The model's side of a run's journal.
CREATE TABLE model_steps (
    org_id        TEXT   NOT NULL,
    run_id        TEXT   NOT NULL,
    seq           BIGINT NOT NULL,
    message       TEXT   NOT NULL, -- JSON
    model         TEXT   NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    at            BIGINT NOT NULL,
    PRIMARY KEY (org_id, run_id, seq),
    FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE
);

-- What was used, by actor and day: it outlives the sessions it was used in.
CREATE TABLE usage (
    org_id        TEXT   NOT NULL REFERENCES organizations (id),
    day           TEXT   NOT NULL, -- UTC, as in 2026-11-21
    created_by    TEXT   NOT NULL,
    runs          BIGINT NOT NULL,
    requests      BIGINT NOT NULL,
    input_tokens  BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    PRIMARY KEY (org_id, day, created_by)
);

-- What models may cost an organization: reserved before a call, settled after it. A reservation that was never settled
-- belongs to a process that died.
CREATE TABLE model_budgets (
    org_id          TEXT   NOT NULL REFERENCES organizations (id),
    period          TEXT   NOT NULL, -- UTC, a month as in 2026-11
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

-- First answers to writes that carried an Idempotency-Key. A row without an answer belongs to a request on its way.
CREATE TABLE idempotency (
    org_id      TEXT   NOT NULL, -- the organization; of what a person does outside any, the person
    created_by  TEXT   NOT NULL, -- the actor: another one's key is another key
    id          TEXT   NOT NULL, -- the header's value
    fingerprint TEXT   NOT NULL, -- of the method, the path and the body
    status      BIGINT NOT NULL, -- 0 until answered
    header      TEXT   NOT NULL, -- JSON
    body        BYTEA  NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (org_id, created_by, id)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- The requests of each external account that count against its limits, over all replicas: a JSON value that changes by
-- comparing its version. Accounts are of the external system, not of an organization: two organizations may connect one.
CREATE TABLE request_places (
    server     TEXT   NOT NULL, -- the external system's address, or a name for it
    account    TEXT   NOT NULL, -- empty for requests whose account is not known yet
    version    BIGINT NOT NULL,
    places     TEXT   NOT NULL, -- JSON, of internal/limit
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (server, account)
);

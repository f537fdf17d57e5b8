-- Drafts, what became of their documents, and the audit log.
--
-- A draft refers to its session, run and connection without a foreign key: it outlives them. What was written into
-- somebody's books stays on record after the conversation about it was deleted.

-- +goose Up

CREATE TABLE drafts (
    org_id        TEXT   NOT NULL REFERENCES organizations (id),
    id            TEXT   NOT NULL,
    session_id    TEXT   NOT NULL, -- empty for one made by a direct call
    run_id        TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    account_id    TEXT   NOT NULL,
    tool          TEXT   NOT NULL,
    title         TEXT   NOT NULL,
    language      TEXT   NOT NULL,
    version       BIGINT NOT NULL, -- the current one, from 1
    undoes        TEXT   NOT NULL, -- the draft that this one takes back; empty for others
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX drafts_by_undone ON drafts (org_id, undoes) WHERE undoes <> '';

CREATE TABLE draft_versions (
    org_id   TEXT   NOT NULL,
    draft_id TEXT   NOT NULL,
    version  BIGINT NOT NULL,
    body     TEXT   NOT NULL, -- JSON: the proposal as it stood
    made_at  BIGINT NOT NULL,
    PRIMARY KEY (org_id, draft_id, version),
    FOREIGN KEY (org_id, draft_id) REFERENCES drafts (org_id, id)
);

CREATE TABLE draft_documents (
    org_id       TEXT   NOT NULL,
    id           TEXT   NOT NULL,
    draft_id     TEXT   NOT NULL,
    position     BIGINT NOT NULL, -- its place in the draft, from 1
    state        TEXT   NOT NULL,
    version      BIGINT NOT NULL, -- the one that was confirmed; 0 while pending
    fingerprint  TEXT   NOT NULL,
    confirmed_by TEXT   NOT NULL,
    attempt      BIGINT NOT NULL, -- the fence: a worker that holds an older one has lost the document
    outcome      TEXT   NOT NULL, -- JSON; empty until there is one
    problem      TEXT   NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, draft_id) REFERENCES drafts (org_id, id)
);
CREATE INDEX draft_documents_by_draft ON draft_documents (org_id, draft_id, position);
CREATE INDEX draft_documents_unsettled ON draft_documents (updated_at) WHERE state IN ('confirmed', 'applying', 'unknown');

CREATE TABLE settings (
    org_id     TEXT   NOT NULL REFERENCES organizations (id),
    name       TEXT   NOT NULL,
    value      TEXT   NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, name)
);

-- The end of each chain. Its row serializes those who append, and tells when entries at the end were cut off.
CREATE TABLE audit_heads (
    org_id TEXT   NOT NULL PRIMARY KEY REFERENCES organizations (id),
    seq    BIGINT NOT NULL,
    hash   TEXT   NOT NULL
);

-- Append-only: migration 3 makes the database refuse every UPDATE and DELETE.
CREATE TABLE audit_entries (
    org_id      TEXT   NOT NULL REFERENCES organizations (id),
    seq         BIGINT NOT NULL, -- from 1, without holes
    at          BIGINT NOT NULL,
    actor       TEXT   NOT NULL,
    action      TEXT   NOT NULL,
    draft_id    TEXT   NOT NULL,
    document_id TEXT   NOT NULL,
    version     BIGINT NOT NULL,
    external    TEXT   NOT NULL,
    detail      TEXT   NOT NULL, -- JSON, kept to the byte: it is part of the hash
    previous    TEXT   NOT NULL,
    hash        TEXT   NOT NULL,
    PRIMARY KEY (org_id, seq)
);

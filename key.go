package stockhand

import "time"

// Key is an API key of one organization as it is listed: its secret is shown once, when it is made, and only a keyed
// hash of it is stored (specification, section 5; product.md, section 3).
type Key struct {
	ID         KeyID
	Org        OrgID
	Name       string
	Prefix     string // "sk-org-" and the public characters: all that is ever shown again
	Scopes     []Scope
	AllowedIPs []string // addresses or CIDR ranges it may be used from; empty means any
	By         string   // the name of the actor who made it
	Created    time.Time
	Expires    time.Time
	LastUsed   time.Time // to the minute; zero for never
	Revoked    time.Time // zero while it is good
	Replaces   KeyID     // the key that this one took over from, when it was made by rotation
	Used       map[Scope]time.Time
}

// User is a person. Users are of the installation, not of an organization; a membership makes the link.
type User struct {
	ID      UserID
	Email   string // in lower case; unique
	Name    string
	Created time.Time
}

// Member is a person's membership in an organization.
type Member struct {
	Org     OrgID
	User    User
	Role    Role
	Created time.Time
}

// UserToken is a bearer token sk-usr-… of a person, as it is listed.
type UserToken struct {
	ID       TokenID
	User     UserID
	Name     string
	Prefix   string
	Created  time.Time
	Expires  time.Time // zero for never
	LastUsed time.Time
	Revoked  time.Time
}

// Membership is an organization as one of its members sees it.
type Membership struct {
	Organization
	Role Role
}

// Credential is what the record knows of a bearer token that somebody shows: an API key, or a person's token with the
// organizations they belong to.
type Credential struct {
	Hash    []byte       // the keyed hash as it is stored
	Version int64        // of who may call: nothing that changed up to it is missing here
	Key     *Key         // of an API key
	Token   *UserToken   // of a person's token
	Orgs    []Membership // of that person, the oldest organization first
}

// Used is what work has cost.
type Used struct {
	Requests     int // sent to external systems
	InputTokens  int // of models
	OutputTokens int
}

// Usage is what one actor used on one day (UTC).
type Usage struct {
	Org  OrgID
	Day  string // "2026-11-21"
	By   string // the actor's name
	Runs int
	Used
}

// AgentProfile is an agent of an organization: instructions, and what it may use. The system's own is always there and
// read-only.
type AgentProfile struct {
	ID           AgentID
	Org          OrgID
	Name         string
	Description  string
	Instructions string         // added to the system's own; never instead of them
	Tools        []string       // names of tools it may call; empty means all
	Connections  []ConnectionID // accounts it may ask; empty means all
	System       bool           // the system's own
	Created      time.Time
	Updated      time.Time
}

// SystemAgent is the id of the agent that every organization has.
const SystemAgent AgentID = "stockhand"

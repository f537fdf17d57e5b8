package stockhand

import "time"

// Key is an API key of one organization without its secret. The secret is shown once, and only a keyed hash of it is
// stored (rule R27).
type Key struct {
	ID         KeyID
	Org        OrgID
	Name       string
	Prefix     string // "sk-org-" and the public characters
	Scopes     []Scope
	AllowedIPs []string // addresses or CIDR ranges that may use it; empty means any
	Binding    Binding
	By         string // the name of the actor who created it
	Created    time.Time
	Expires    time.Time
	LastUsed   time.Time           // to the minute; zero for never
	Revoked    time.Time           // zero if it is not revoked
	Parent     KeyID               // the key that created it; empty if a person did
	Replaces   KeyID               // the key that it replaces, if it was created by rotation
	Used       map[Scope]time.Time // when each scope was last used
}

// Policy is what an organization demands of the keys and user tokens that act in it. It holds for those that exist, too
// (rule R102).
type Policy struct {
	MaxKeyDays        int  `json:"max_key_days,omitempty"`   // how long after its creation a key works; 0 for no limit
	MaxTokenDays      int  `json:"max_token_days,omitempty"` // the same for user tokens
	KeysNeedAddresses bool `json:"keys_need_addresses,omitempty"`
}

// Revocation is what the revocation of a key ended.
type Revocation struct {
	Key
	Also []KeyID // keys that it created, themselves or through others, and that were revoked with it
	Runs int     // unfinished runs of these keys, which were cancelled
}

// User is a person. Users belong to the installation; a membership links them to an organization.
type User struct {
	ID       UserID
	Email    string // in lower case; unique
	Name     string
	Created  time.Time
	Disabled time.Time // zero unless the account is disabled
	// EmailProven is when the operator or an OpenID provider vouched for the address; zero while only the token of an
	// invitation says that it is theirs (rule R176)
	EmailProven time.Time
}

// Member is a person's membership in an organization.
type Member struct {
	Org     OrgID
	User    User
	Role    Role
	Created time.Time
}

// MemberLimits are how many members an organization may have, and how many organizations a person may belong to.
type MemberLimits struct{ Members, Organizations int }

// Departure is a membership that has ended.
type Departure struct {
	Member
	Keys        []Key // of the person, that were good: they are revoked, or belong to the one who removed the person
	Transferred bool
}

// UserToken is a bearer token sk-usr-… of a person without its secret.
type UserToken struct {
	ID       TokenID
	User     UserID
	Org      OrgID // the only organization that it acts in; empty for all of the person's
	Name     string
	Prefix   string
	Created  time.Time
	Since    time.Time // when the first of the tokens was created that led to this one; its life counts from then
	Expires  time.Time // zero for never
	LastUsed time.Time
	Revoked  time.Time
}

// MemberToken is a token of a member, as the organization's administrators see it.
type MemberToken struct {
	UserToken
	Of   User
	Role Role
}

// Membership is an organization with a person's role in it.
type Membership struct {
	Organization
	Role Role
	Home bool // the person's calls that name no organization go there
}

// Credential is what the database knows about a secret: an API key, or a person's token or sign-in with their
// organizations.
type Credential struct {
	Hash    []byte       // keyed hash of the secret
	Version int64        // changes to keys and members up to this version are included
	Key     *Key         // set for an API key
	Policy  Policy       // of the key's organization
	Token   *UserToken   // set for a person's token
	SignIn  *SignIn      // set for a person's sign-in
	Orgs    []Membership // the person's organizations, oldest first
}

// Used is the cost of work.
type Used struct {
	Requests     int // requests sent to external systems
	InputTokens  int // tokens sent to models
	OutputTokens int
	CachedTokens int   // of the input tokens: read from a provider's cache
	Cost         int64 // millionths of the currency that models are priced in
}

// Usage is what one actor used on one day (UTC).
type Usage struct {
	Org  OrgID
	Day  string // "2026-11-21"
	By   string // the actor's name
	Runs int
	Used
}

// AgentProfile is an agent of an organization: its instructions, tools and connections. Every organization has the
// built-in agent, which cannot be changed.
type AgentProfile struct {
	ID           AgentID
	Org          OrgID
	Name         string
	Description  string
	Instructions string         // added to the built-in instructions; they never replace them
	Tools        []string       // names of tools it may call; empty means all
	Connections  []ConnectionID // connections it may use; empty means all
	System       bool           // the built-in agent
	Created      time.Time
	Updated      time.Time
}

// SystemAgent is the ID of the built-in agent.
const SystemAgent AgentID = "stockhand"

package wire

import (
	"time"

	"github.com/stockhand/stockhand"
)

// Organization is a tenant.
type Organization struct {
	ID        stockhand.OrgID `json:"id" example:"org_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Name      string          `json:"name" example:"Shop"`
	CreatedAt time.Time       `json:"created_at"`
}

// Membership is an organization as one of its members sees it.
type Membership struct {
	Organization

	Role stockhand.Role `json:"role,omitempty" enum:"owner,admin,member,viewer" doc:"The caller's role; absent for a key"`
	Home bool           `json:"home" doc:"Whether the caller's requests without X-Org-Id go there"`
}

// OrganizationOf converts an organization.
func OrganizationOf(o stockhand.Organization) Organization {
	return Organization{ID: o.ID, Name: o.Name, CreatedAt: o.Created}
}

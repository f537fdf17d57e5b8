package wire

import (
	"time"

	"github.com/stockhand/stockhand"
)

// Member is a person in the organization.
type Member struct {
	UserID    stockhand.UserID `json:"user_id" example:"usr_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Email     string           `json:"email" example:"anna@example.com"`
	Name      string           `json:"name" doc:"May be empty"`
	Role      stockhand.Role   `json:"role" enum:"owner,admin,member,viewer"`
	CreatedAt time.Time        `json:"created_at" doc:"When they became a member"`
}

// MemberOf converts a member.
func MemberOf(m stockhand.Member) Member {
	return Member{UserID: m.User.ID, Email: m.User.Email, Name: m.User.Name, Role: m.Role, CreatedAt: m.Created}
}

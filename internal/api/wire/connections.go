package wire

import (
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
)

// Connection is an organization's connection to one external account. The credential is never returned (rule R7).
type Connection struct {
	ID            stockhand.ConnectionID `json:"id" example:"con_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Connector     string                 `json:"connector" example:"moysklad"`
	AccountID     stockhand.AccountID    `json:"account_id" doc:"Identifies the external account; names do not"`
	Label         string                 `json:"label"`
	Organization  string                 `json:"organization" doc:"The name of the first legal entity; two accounts may share it"`
	Employee      string                 `json:"employee" doc:"The owner of the token, whose rights apply"`
	Rights        ConnectionRights       `json:"rights"`
	GatewayWrites bool                   `json:"gateway_writes" doc:"Whether the gateway allows writes"`
	CreatedAt     time.Time              `json:"created_at"`
	CreatedBy     *string                `json:"created_by"`
	VerifiedAt    *time.Time             `json:"verified_at" doc:"When the external system last accepted the token"`
	Problem       *string                `json:"problem" doc:"Why the last verification failed; null if it did not"`
}

// ConnectionRights are the employee's rights, named as in the external system's role settings.
type ConnectionRights struct {
	Visible []connector.Right `json:"visible"`
	Missing []connector.Right `json:"missing" doc:"Data that the employee cannot see; answers that need it say so"`
}

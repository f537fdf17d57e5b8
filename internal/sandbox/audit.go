package sandbox

import (
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// audit serves entity/<type>/<id>/audit: that a document was created and how its state changed (fact M108).
func (c *call) audit(d document) (answer, error) {
	event := func(e *encoder, kind string, at time.Time, by *company.Employee, diff func()) {
		e.members("source", "app", "eventType", kind, "entityType", string(d.Type), "name", d.Name)
		if by != nil {
			e.key("uid").string(by.UID)
		}
		e.moment("moment", at)
		if diff != nil {
			e.key("diff").object(diff)
		}
		e.key("entity").object(func() { c.meta(e, string(d.Type), string(d.ID), string(d.ID)) })
	}
	return c.childList("auditevent", 1+len(d.Changes), func(int) string { return "" },
		func(e *encoder, i int, _ expansion) {
			if i == 0 {
				event(e, "create", d.Created, d.Owner, nil)
				return
			}
			change := d.Changes[i-1]
			event(e, "update", change.At, change.By, func() {
				e.key("state").object(func() {
					for _, side := range []struct {
						key string
						*company.State
					}{{"oldValue", change.From}, {"newValue", change.To}} {
						if s := side.State; s != nil {
							e.key(side.key).object(
								func() { c.plainMeta(e, "state", statePath(s)); e.key("name").string(s.Name) })
						}
					}
				})
			})
		})
}

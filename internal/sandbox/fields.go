package sandbox

import (
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// Constructors for rows of field tables. The kind of a field determines how its value is written, compared and
// searched.

func textField[R any](name string, can ability, of func(R) string) field[R] {
	return field[R]{name: name, kind: text, can: can, of: func(r R) value { return textValue(of(r)) }}
}

func uidField[R any](name string, can ability, of func(R) company.ID) field[R] {
	return field[R]{name: name, kind: uid, can: can, of: func(r R) value { return textValue(string(of(r))) }}
}

// numberField returns a required number field, in ten-thousandths.
func numberField[R any, N ~int64](name string, can ability, of func(R) N) field[R] {
	return field[R]{name: name, kind: number, can: can, of: func(r R) value { return numberValue(int64(of(r))) }}
}

func countField[R any](name string, can ability, of func(R) int) field[R] {
	return field[R]{name: name, kind: number, can: can, of: func(r R) value { return numberValue(int64(of(r)) * one) }}
}

func flagField[R any](name string, can ability, of func(R) bool) field[R] {
	return field[R]{name: name, kind: flag, can: can, of: func(r R) value { return flagValue(of(r)) }}
}

func momentField[R any](name string, can ability, of func(R) time.Time) field[R] {
	return field[R]{name: name, kind: moment, can: can, of: func(r R) value { return momentValue(of(r)) }}
}

// linkField returns a reference field with a fixed type. An empty id means no reference.
func linkField[R any](name, typ string, can ability, of func(R) company.ID) field[R] {
	return field[R]{name: name, kind: link, can: can, of: func(r R) value { return linkValue(typ, string(of(r))) }}
}

// writtenField returns a field that cannot be filtered or sorted.
func writtenField[R any](name string, write func(c *call, e *encoder, r R, x expansion)) field[R] {
	return field[R]{name: name, write: write}
}

// idField makes rows filterable by id. The id itself is always written first.
func idField[R any](of func(R) company.ID) field[R] {
	return uidField("id", canFind|unwritten, of)
}

func accountField[R any]() field[R] {
	return writtenField("accountId", func(c *call, e *encoder, _ R, _ expansion) {
		e.key("accountId").string(c.account.info.AccountID)
	})
}

// belonging returns the fields that determine who may see an object (fact M42).
func belonging[R any](owner func(R) *company.Employee, group func(R) *company.Group) []field[R] {
	return []field[R]{
		linkField("owner", "employee", canFilter|canExpand, func(r R) company.ID {
			if o := owner(r); o != nil {
				return o.ID
			}
			return ""
		}),
		flagField("shared", canFind, func(R) bool { return true }),
		linkField("group", "group", canFilter|canExpand, func(r R) company.ID {
			if g := group(r); g != nil {
				return g.ID
			}
			return ""
		}),
		textField("updatedBy", canFilter|unwritten, func(r R) string {
			if o := owner(r); o != nil {
				return o.UID
			}
			return ""
		}),
	}
}

// ofMainGroup returns the same fields for objects without an owner.
func ofMainGroup[R any]() []field[R] {
	return []field[R]{
		flagField("shared", canFind, func(R) bool { return true }),
		writtenField("group", func(c *call, e *encoder, _ R, x expansion) {
			if groups := c.account.Catalogue().Groups; len(groups) > 0 {
				c.member(e, "group", link, linkValue("group", string(groups[0].ID)), x)
			}
		}),
	}
}

// fieldsOf concatenates parts of a table.
func fieldsOf[R any](parts ...[]field[R]) []field[R] {
	var all []field[R]
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// literal returns a field with the same value in every row.
func literal[R any](name, s string) field[R] {
	return textField(name, 0, func(R) string { return s })
}

// emptyCollection returns a nested collection that is always empty, such as images or files.
func emptyCollection[R any](name, typ, owner string, id func(R) company.ID) field[R] {
	return writtenField(name, func(c *call, e *encoder, r R, _ expansion) {
		c.nested(e, name, typ, "/entity/"+owner+"/"+string(id(r))+"/"+name, 0, nil)
	})
}

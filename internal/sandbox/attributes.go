package sandbox

import (
	"net/http"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// attributesField holds the additional fields of an entity (fact M44). Rows can also be filtered by them: see
// [entity.attributeTest].
func attributesField[R any](typ string, of func(R) []company.AttributeValue) field[R] {
	return writtenField("attributes", func(c *call, e *encoder, r R, _ expansion) {
		values := of(r)
		if len(values) == 0 {
			return
		}
		e.key("attributes").array(func() {
			for _, v := range values {
				e.object(func() {
					c.attribute(e, typ, v.Attribute)
					if v.Type == company.DirectoryType {
						c.directoryElement(e, v)
						return
					}
					c.member(e, "value", attributeKind(v.Attribute), attributeValue(v), nil)
				})
			}
		})
	})
}

// directoryElement writes the value of a field that links to an element of a user's directory.
func (c *call) directoryElement(e *encoder, v company.AttributeValue) {
	e.key("value").object(func() {
		c.plainMeta(e, company.DirectoryType, "/entity/"+company.DirectoryType+"/"+string(v.ID)+"/"+string(v.Element()))
		e.members("name", v.Text)
	})
}

// attributeOwner returns the type that defines a type's additional fields: all goods use those of products.
func attributeOwner(typ string) string {
	if slices.Contains(goodTypes, typ) {
		return "product"
	}
	return typ
}

// attribute writes the members of a definition.
func (c *call) attribute(e *encoder, typ string, a *company.Attribute) {
	c.plainMeta(e, "attributemetadata", attributesPath(typ)+"/"+string(a.ID))
	e.members("id", a.ID, "name", a.Name, "type", a.Type)
}

func attributesPath(typ string) string {
	return "/entity/" + attributeOwner(typ) + "/metadata/attributes"
}

func attributeKind(a *company.Attribute) kind {
	switch a.Type {
	case "long", "double":
		return number
	case "boolean":
		return flag
	case "time":
		return moment
	}
	return text
}

func attributeValue(v company.AttributeValue) value {
	switch attributeKind(v.Attribute) {
	case number:
		return numberValue(int64(v.Number))
	case flag:
		return flagValue(v.Flag)
	case moment:
		return momentValue(v.Time)
	case text, uid, link:
	}
	return textValue(v.Text)
}

// attributes serves entity/<type>/metadata/attributes, or the one with id c.childID.
func (c *call) attributes(typ string) (answer, error) {
	all := c.account.Catalogue().Attributes[attributeOwner(typ)]
	return c.childList("attributemetadata", len(all), func(i int) string { return string(all[i].ID) },
		func(e *encoder, i int, _ expansion) {
			c.attribute(e, typ, all[i])
			e.members("required", false, "show", true)
		})
}

// attributeTest compiles conditions whose field is the href of an additional field.
func (t *entity[R]) attributeTest(c *call, href string, conditions []condition) (func(R) bool, error) {
	if err := c.checkLinks([]condition{{value: href}}); err != nil {
		return nil, err
	}
	id := href[strings.LastIndex(href, "/")+1:]
	a := c.attributeByID(t.typ, id)
	if a == nil || t.attributes == nil {
		return nil, errFilter("неизвестное поле фильтрации '%s'", href)
	}
	m, err := compile(href, attributeKind(a), conditions, c.server.options.Switches.NotEqualKeepsNull)
	return func(r R) bool {
		for _, v := range t.attributes(r) {
			if v.Attribute == a {
				return m(attributeValue(v))
			}
		}
		return m(value{})
	}, err
}

func (c *call) attributeByID(typ, id string) *company.Attribute {
	for _, a := range c.account.Catalogue().Attributes[attributeOwner(typ)] {
		if string(a.ID) == id {
			return a
		}
	}
	return nil
}

// addressFields hold an address such as "г. Москва, ул. Старая, 7", as text and in parts.
func addressFields[R any](name string, of func(R) string) []field[R] {
	return []field[R]{textField(name, canFind, of), writtenField(name+"Full",
		func(_ *call, e *encoder, r R, _ expansion) {
			if of(r) == "" {
				return
			}
			e.key(name + "Full").object(func() {
				parts := strings.SplitN(of(r), ", ", 3)
				for i, key := range []string{"city", "street", "house"}[:len(parts)] {
					e.key(key).string(strings.TrimPrefix(parts[i], "г. "))
				}
			})
		})}
}

// errReadOnly is the error for a field that the sandbox cannot change. Ignoring the change would hide it.
func errReadOnly(name string) *apiError {
	return refuse(http.StatusPreconditionFailed, 3001, "Ошибка сохранения объекта: поле '%s' нельзя изменить", name).
		at(name)
}

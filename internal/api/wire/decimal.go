package wire

import (
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// exactNumber is a number in a request: a decimal string or a JSON number, decoded without a float. Missing and null
// mean unknown.
type exactNumber struct{ decimal.Maybe }

const decimalPattern = `^-?[0-9]{1,19}(\.[0-9]{1,19})?$`

// Schema implements huma.SchemaProvider.
func (exactNumber) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeString, Pattern: decimalPattern, Description: "A decimal number such as 12.5"},
		{Type: huma.TypeNumber},
	}}
}

// exactOrMoney is an exactNumber or a money object, whose amount is read.
type exactOrMoney struct{ exactNumber }

// UnmarshalJSON reads either.
func (n *exactOrMoney) UnmarshalJSON(b []byte) error {
	if strings.HasPrefix(strings.TrimSpace(string(b)), "{") {
		var money tool.Amount
		if err := json.Unmarshal(b, &money); err != nil {
			return err
		}
		d, err := decimal.Parse(money.Amount)
		n.Maybe = decimal.Some(d)
		return err
	}
	return n.exactNumber.UnmarshalJSON(b)
}

// Schema implements huma.SchemaProvider.
func (n exactOrMoney) Schema(r huma.Registry) *huma.Schema {
	s := n.exactNumber.Schema(r)
	s.OneOf = append(s.OneOf, &huma.Schema{Type: huma.TypeObject, Required: []string{"amount"},
		AdditionalProperties: false, Properties: map[string]*huma.Schema{
			"amount": {Type: huma.TypeString, Pattern: decimalPattern}, "currency": {Type: huma.TypeString},
			"text": {Type: huma.TypeString},
		}})
	return s
}

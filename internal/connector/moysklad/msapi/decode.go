package msapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
)

// shaped wraps a decoding error with errShape if the text was complete, because a retry would give the same result.
func shaped(err error) error {
	if _, ok := errors.AsType[*json.SyntaxError](err); ok || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%w: %w", errShape, err)
	}
	return err
}

// one reads a response that is a single value.
func one[T any](ctx context.Context, r *Reader, path string, params url.Values) (T, error) {
	var value T
	q := request{path: path, query: encode(params), filter: params.Get("filter")}
	if s := survey.Of(ctx); s != nil {
		noteWhole(s, q)
		return value, nil
	}
	meter.Of(ctx).Plan(1, StockReport(path))
	err := r.fetch(ctx, q, func(body io.Reader) error {
		var fresh T
		if err := json.NewDecoder(body).Decode(&fresh); err != nil {
			return shaped(err)
		}
		value = fresh
		return nil
	})
	if err == nil {
		meter.Of(ctx).Rows(q.label(), q.filter, 1)
		meter.Of(ctx).Needs(q.identity(), 1)
	}
	return value, err
}

// page is one response of a list.
type page[T any] struct {
	meta meta
	rows []T
}

// decodePage decodes {"context": …, "meta": …, "rows": […]} row by row, so that the text is never completely in memory.
func decodePage[T any](body io.Reader) (page[T], error) {
	var p page[T]
	dec := json.NewDecoder(body)
	if err := expect(dec, '{'); err != nil {
		return p, err
	}
	found := false
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return p, err
		}
		switch name {
		case "meta":
			err = shaped(dec.Decode(&p.meta))
		case "rows":
			found = true
			err = decodeArray(dec, func() error {
				var row T
				if err := dec.Decode(&row); err != nil {
					return shaped(err)
				}
				p.rows = append(p.rows, row)
				return nil
			})
		default:
			var skipped json.RawMessage
			err = dec.Decode(&skipped)
		}
		if err != nil {
			return p, err
		}
	}
	if err := expect(dec, '}'); err != nil {
		return p, err
	}
	if !found {
		return p, fmt.Errorf("%w: a list without rows", errShape)
	}
	return p, nil
}

// decodeArray calls row, which must decode one element, for each element of an array.
func decodeArray(dec *json.Decoder, row func() error) error {
	if err := expect(dec, '['); err != nil {
		return err
	}
	for dec.More() {
		if err := row(); err != nil {
			return err
		}
	}
	return expect(dec, ']')
}

func expect(dec *json.Decoder, want json.Delim) error {
	token, err := dec.Token()
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF // an empty body, or one truncated between two tokens
	}
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("%w: %v instead of %v", errShape, token, want)
	}
	return nil
}

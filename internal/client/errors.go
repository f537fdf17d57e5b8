package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"syscall"

	"github.com/stockhand/stockhand"
)

var (
	errNoAnswer = errors.New("no answer")
	errRefused  = errors.New("nobody listens")
)

// unanswered is the error of a request that got no answer. What the transport says is left to the cause: its text
// quotes the address.
func (c *Client) unanswered(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	place := "the server"
	if u, bad := url.Parse(c.address); bad == nil {
		place = u.Scheme + "://" + u.Host
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		e := stockhand.Errorf(stockhand.CodeExternalUnavailable, "nobody answers at %s",
			place).WithHint("check the address, and that the server runs: stockhand serve")
		e.Err = errors.Join(errNoAnswer, errRefused, err)
		return e
	}
	e := stockhand.Errorf(stockhand.CodeExternalUnavailable, "%s did not answer",
		place).WithHint("check the address and the network, and try again")
	e.Err = errors.Join(errNoAnswer, err)
	return e
}

// refusal is the error that the server answered.
func (c *Client) refusal(answer *http.Response) error {
	var body struct {
		Detail struct {
			Code    stockhand.Code         `json:"code"`
			Message string                 `json:"message"`
			Hint    string                 `json:"hint"`
			Errors  []stockhand.FieldError `json:"errors"`
		} `json:"detail"`
	}
	b, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil || json.Unmarshal(b, &body) != nil || body.Detail.Code == "" {
		return c.foreign(answer)
	}
	return &stockhand.Error{Code: body.Detail.Code, Message: body.Detail.Message, Hint: body.Detail.Hint,
		Fields: body.Detail.Errors}
}

// foreign is the error of an answer that no Stockhand gives.
func (c *Client) foreign(answer *http.Response) error {
	return stockhand.Errorf(stockhand.CodeExternalUnavailable, "the answer is not Stockhand's (status %d)",
		answer.StatusCode).
		WithHint("check that the address is that of a Stockhand server, and what stands between")
}

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
	errRefused  = errors.New("connection refused")
)

// unanswered is the error of a request without a response. The transport's error is only the cause, because its text
// contains the whole address.
func (c *Client) unanswered(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	place := "the server"
	if u, bad := url.Parse(c.address); bad == nil {
		place = u.Scheme + "://" + u.Host
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		e := stockhand.Errorf(stockhand.CodeExternalUnavailable, "no server is running at %s",
			place).WithHint("Check the address, and that the server is running: stockhand serve.")
		e.Err = errors.Join(errNoAnswer, errRefused, err)
		return e
	}
	e := stockhand.Errorf(stockhand.CodeExternalUnavailable, "%s did not answer",
		place).WithHint("Check the address and the network, and try again.")
	e.Err = errors.Join(errNoAnswer, err)
	return e
}

// refusal is the error in an error response.
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

// foreign is the error of a response that is not from Stockhand.
func (c *Client) foreign(answer *http.Response) error {
	return stockhand.Errorf(stockhand.CodeExternalUnavailable, "this is not a response of Stockhand (status %d)",
		answer.StatusCode).
		WithHint("Check that the address is a Stockhand server, and any proxy in between.")
}

package app

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/auth/signin"
)

// The settings of people who sign in.
const (
	envSignInIdle = "STOCKHAND_SIGN_IN_IDLE_HOURS"
	envSignInDays = "STOCKHAND_SIGN_IN_DAYS"
	envIssuer     = "STOCKHAND_OIDC_ISSUER"
	envClientID   = "STOCKHAND_OIDC_CLIENT_ID"
	envClientKey  = "STOCKHAND_OIDC_CLIENT_SECRET"
	envDomains    = "STOCKHAND_OIDC_DOMAINS"

	mostIdleHours  = 720
	mostSignInDays = 90
)

// readPeople reads the settings of people who sign in.
func (c *Config) readPeople(getenv func(string) string) error {
	hours, err := number(envSignInIdle, getenv(envSignInIdle), "hours", mostIdleHours)
	if err != nil {
		return err
	}
	days, err := number(envSignInDays, getenv(envSignInDays), "days", mostSignInDays)
	c.SignInIdle, c.SignInLife = time.Duration(hours)*time.Hour, time.Duration(days)*24*time.Hour
	if err != nil || getenv(envIssuer) == "" {
		return err
	}
	p := &signin.Provider{Issuer: getenv(envIssuer), ClientID: getenv(envClientID), Secret: getenv(envClientKey)}
	if u, err := url.Parse(p.Issuer); err != nil || u.Host == "" ||
		(u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "127.0.0.1")) {
		return badValue(envIssuer, "the https:// address of an OpenID provider")
	}
	if p.ClientID == "" {
		return badValue(envClientID, "the ID of this installation at the provider")
	}
	for _, d := range list(getenv(envDomains)) {
		p.Domains = append(p.Domains, strings.ToLower(d))
	}
	c.Provider = p
	return nil
}

// number reads a whole number from 1 to most; 0 if it is not set.
func number(name, value, unit string, most int) (int, error) {
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		return 0, badValue(name, fmt.Sprintf("%s from 1 to %d", unit, most))
	}
	return n, nil
}

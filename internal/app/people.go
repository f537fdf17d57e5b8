package app

import (
	"fmt"
	"strconv"
	"time"
)

// The settings of people who sign in.
const (
	envSignInIdle = "STOCKHAND_SIGN_IN_IDLE_HOURS"
	envSignInDays = "STOCKHAND_SIGN_IN_DAYS"

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
	return err
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

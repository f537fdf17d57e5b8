package traffic

import (
	"fmt"

	"github.com/stockhand/stockhand"
)

// refusal is why the traffic of a run is not kept; "" if it is. It is stored instead of the traffic.
type refusal string

const (
	elsewhere   refusal = "elsewhere"
	stopped     refusal = "stopped"
	interrupted refusal = "interrupted"
	cancelled   refusal = "cancelled"
	large       refusal = "large"
)

// refused is what is stored instead of the traffic of a run.
type refused struct {
	Why refusal `json:"not_kept"`
}

var refusals = map[refusal]string{
	elsewhere:   "it is about the drafts of a conversation that the caller keeps, and those are stored elsewhere",
	stopped:     "all writes were stopped when it was asked",
	interrupted: "its process ended in the middle, and what that had asked is lost; another one went on",
	cancelled:   "it was cancelled",
	large:       "it read more than 32 MiB",
}

// notKept is the error of an export for which the traffic of a turn is missing.
func (s *Service) notKept(run stockhand.Run, turn int, itself bool, why refusal) error {
	if s.Age <= 0 {
		return stockhand.Errorf(stockhand.CodeNotFound, "this server keeps no traffic of runs").
			WithHint("an operator switches it on with STOCKHAND_TRAFFIC; stockhand record asks and records at once")
	}
	which := "this turn"
	if !itself {
		which = fmt.Sprintf("turn %d, which this one follows,", turn)
	}
	said := refusals[why]
	switch {
	case said != "":
	case run.Generation == 0 && run.State == stockhand.RunDone:
		said = "code answered it at once, as a decision on a draft"
	case run.Generation == 0:
		said = refusals[cancelled]
	case run.Created.Before(s.Clock().Add(-s.Age)):
		said = fmt.Sprintf("it is older than the %d days for which this server keeps traffic", int(s.Age.Hours()/24))
	default:
		said = "it was a call of a tool by a program, or from before this server kept traffic, or newer turns took its " +
			"place"
	}
	e := stockhand.Errorf(stockhand.CodeNotFound, "the traffic of %s is not kept: %s", which, said)
	if !itself {
		return e.WithHint("export the turns before it, by the message of the last of them")
	}
	return e.WithHint("ask again, or ask and record at once with stockhand record")
}

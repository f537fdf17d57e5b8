package stockhand

import (
	"fmt"
	"time"
)

// WriteStop says who stopped all writes to external systems, and when. The zero WriteStop stops nothing (rule R108).
type WriteStop struct {
	By         string // the name of the actor
	At         time.Time
	Everywhere bool // the operator stopped the whole installation
}

// Refusal returns the error for a write during the stop, or nil if writes are not stopped.
func (s WriteStop) Refusal() error {
	if s.By == "" {
		return nil
	}
	at := s.At.UTC().Format("2006-01-02 15:04 UTC")
	e := &Error{Code: CodePermissionDenied, Fields: []FieldError{{Field: "writes_stopped", Message: "is on"}},
		Message: fmt.Sprintf("the organization has stopped all writes (writes_stopped): %s, %s; nothing was sent", s.By,
			at),
		Hint: "an owner or admin of the organization allows them again in the settings: writes_stopped = false; " +
			"then confirm again",
		RU: Words{
			Message: fmt.Sprintf("запись во внешние системы в организации остановлена (writes_stopped): %s, %s; ничего не "+
				"отправлено", s.By, at),
			Hint: "её снова разрешает владелец или администратор организации в настройках: writes_stopped = false; после " +
				"этого подтвердите ещё раз",
		},
	}
	if s.Everywhere {
		e.Message = fmt.Sprintf("the operator has stopped all writes of this installation (writes_stopped): %s, %s; "+
			"nothing was sent", s.By, at)
		e.Hint = "the operator allows them again: stockhand writes allow; then confirm again"
		e.RU = Words{
			Message: fmt.Sprintf("оператор остановил запись во внешние системы на всей установке (writes_stopped): %s, %s; "+
				"ничего не отправлено", s.By, at),
			Hint: "её снова разрешает оператор: stockhand writes allow; после этого подтвердите ещё раз",
		}
	}
	return e
}

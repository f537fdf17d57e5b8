package timezone

import (
	"errors"
	"testing"
	"time"
)

func TestAConnectorsZoneLoadsWithoutTheMachinesDatabase(t *testing.T) {
	embeddedZone, err := embedded("Europe/Moscow", errors.New("no database"))
	if err != nil {
		t.Fatal(err)
	}
	machine, err := Load("Europe/Moscow")
	if err != nil {
		t.Fatal(err)
	}
	for at := time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2030; at = at.AddDate(0, 0, 7) {
		if a, b := at.In(embeddedZone).String(), at.In(machine).String(); a != b {
			t.Fatalf("%s in the binary, %s on the machine", a, b)
		}
	}
}

func TestAnUnknownZoneIsAnError(t *testing.T) {
	if l, err := Load("Europe/Atlantis"); err == nil {
		t.Errorf("%s", l)
	}
}

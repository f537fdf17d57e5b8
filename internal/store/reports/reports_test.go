package reports_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestAReportIsOfItsOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, at := t.Context(), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		org, other := storetest.Organization(t, db), storetest.Organization(t, db)
		c, err := db.CreateConnection(ctx, org, stockhand.Connection{Connector: "moysklad", Account: "a", Label: "a",
			Sealed: []byte("x")})
		if err != nil {
			t.Fatal(err)
		}
		s := db.System().Reports()
		entry := stockhand.AuditEntry{At: at, Actor: "user:a", Action: "report.saved"}
		r := stockhand.StoredReport{ID: stockhand.NewID[stockhand.ReportID]("rep"), Connection: c.ID,
			Body: json.RawMessage(`{"title":"a"}`), By: "user:a", Created: at}
		if err := s.AddReport(ctx, org, r, 1, entry); err != nil {
			t.Fatal(err)
		}
		more := r
		more.ID = stockhand.NewID[stockhand.ReportID]("rep")
		if err := s.AddReport(ctx, org, more, 1, entry); stockhand.CodeOf(err) != stockhand.CodeConflict {
			t.Errorf("more than the most: %v", err)
		}
		if _, err := s.Report(ctx, other, r.ID); stockhand.CodeOf(err) != stockhand.CodeNotFound {
			t.Errorf("another organization reads it: %v", err)
		}
		if err := s.PutReport(ctx, other, r.ID, []byte(`{}`), entry); stockhand.CodeOf(err) != stockhand.CodeNotFound {
			t.Errorf("another organization changes it: %v", err)
		}
		if err := s.DeleteReport(ctx, other, r.ID, entry); stockhand.CodeOf(err) != stockhand.CodeNotFound {
			t.Errorf("another organization deletes it: %v", err)
		}
		if err := s.PutReport(ctx, org, r.ID, []byte(`{"title":"b"}`), entry); err != nil {
			t.Fatal(err)
		}
		all, err := s.Reports(ctx, org)
		if err != nil || len(all) != 1 || string(all[0].Body) != `{"title":"b"}` || !all[0].Created.Equal(at) ||
			all[0].Connection != c.ID || all[0].By != "user:a" {
			t.Fatal(all, err)
		}
		if err := db.DeleteConnection(ctx, org, c.ID); err != nil {
			t.Fatal(err)
		}
		if all, err := s.Reports(ctx, org); err != nil || len(all) != 0 {
			t.Errorf("after its connection was deleted: %v %v", all, err)
		}
	})
}

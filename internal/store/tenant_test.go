package store_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestOrganizationIsTheFirstArgumentOfEveryMethod(t *testing.T) {
	about := []string{"Close", "Ping", "Reader", "String", "System", "Writer"} // the database itself
	for m := range reflect.TypeFor[*store.DB]().Methods() {
		if slices.Contains(about, m.Name) {
			continue
		}
		if m.Type.NumIn() < 3 || m.Type.In(1) != reflect.TypeFor[context.Context]() ||
			m.Type.In(2) != reflect.TypeFor[stockhand.OrgID]() {
			t.Errorf("DB.%s does not take (context, organization, …); what concerns all organizations belongs to "+
				"System", m.Name)
		}
	}
}

func TestOrganizationIsPartOfEveryStatement(t *testing.T) {
	across := []string{ // System's, and what concerns people, who are of the installation
		"AllOrganizations", "UnfinishedRuns", "SilentRuns", "UnfinishedLogs", "UnsettledDrafts",
		"AuthVersion", "RaiseAuthVersion", "KeyCredential", "UserTokenCredential",
		"InsertUser", "User", "UserByEmail", "UsersAfter", "AnyMember", "HoldUser", "Memberships",
		"HoldActiveUser", "DisableUser", "DeleteUser", "ForgetInvitationsTo", "ExcludedFrom",
		"InsertUserToken", "UserToken", "UserTokensBefore", "CountLiveUserTokens", "RevokeUserToken", "TouchUserToken",
		"LeaveHome", "InvitationByHash", "InvitationTo", "InvitationsTo",
		"ForgetAnswers", "AuditBacklogs", "MoveAuditPosition", "HoldLease", "ReleaseLease",
		"RequestPlaces", "AllRequestPlaces", "FirstRequestPlaces", "MoveRequestPlaces", "CountUnfinishedRuns",
		"ForgetKeptFacts", "ForgetResponses", "ForgetRunTraffic",
		"PutReplica", "AllReplicas", "DeleteReplica", "ForgetReplicas",
		"InstallationSecret", "PutInstallationSecret", "ReplaceInstallationSecret",
	}
	files, err := filepath.Glob("queries/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no queries", err)
	}
	// id is the organization's own, in its own table
	filtered := regexp.MustCompile(`WHERE (?:\w+\.)?(org_id|id) = \$1\b`)
	inserted := regexp.MustCompile(`^INSERT INTO (\w+) \((org_id|id),`)
	for _, file := range files {
		if filepath.Base(file) == "signins.sql" { // people are of the installation
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for statement := range strings.SplitSeq(string(content), "-- name: ") {
			name, body, ok := strings.Cut(statement, " ")
			if !ok || slices.Contains(across, name) {
				continue
			}
			var lines []string
			for line := range strings.SplitSeq(body, "\n") {
				if !strings.HasPrefix(line, "--") && !strings.HasPrefix(line, ":") {
					lines = append(lines, line)
				}
			}
			sql := strings.Join(lines, " ")
			own := strings.Contains(name, "Organization")
			if m := filtered.FindStringSubmatch(sql); m != nil && (m[1] == "org_id" || own) {
				continue
			}
			if m := inserted.FindStringSubmatch(sql); m != nil && (m[2] == "org_id" || own) {
				continue
			}
			t.Errorf("%s: %s does not name the organization: %s", file, name, sql)
		}
	}
}

func TestAnotherOrganizationsObjectsAreNotFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		result := f.finishedCall(t, 1, stored(1))
		other := storetest.Organization(t, db)

		refused := map[string]error{}
		_, refused["Connection"] = db.Connection(ctx, other, f.connection.ID)
		_, refused["ChangeConnection"] = db.ChangeConnection(ctx, other, f.connection.ID,
			func(*stockhand.Connection) ([]stockhand.AuditEntry, error) { return nil, nil })
		refused["DeleteConnection"] = db.DeleteConnection(ctx, other, f.connection.ID)
		_, refused["Session"] = db.Session(ctx, other, f.session.ID)
		refused["RenameSession"] = db.RenameSession(ctx, other, f.session.ID, "x")
		refused["SetSessionConnection"] = db.SetSessionConnection(ctx, other, f.session.ID, "")
		refused["DeleteSession"] = db.DeleteSession(ctx, other, f.session.ID, stockhand.AuditEntry{})
		_, refused["Message"] = db.Message(ctx, other, f.task.ID)
		_, refused["Run"] = db.Run(ctx, other, f.run.ID)
		_, refused["ClaimRun"] = db.ClaimRun(ctx, other, f.run.ID, f.run.Generation)
		_, refused["AppendEvents"] = db.AppendEvents(ctx, other, f.run.ID, f.run.Generation,
			stockhand.Event{Type: stockhand.EventNotice})
		_, refused["FinishRun"] = db.FinishRun(ctx, other,
			stockhand.RunEnd{Run: f.run.ID, Generation: f.run.Generation, State: stockhand.RunDone,
				Answer: &stockhand.Message{}})
		_, refused["CancelRun"] = db.CancelRun(ctx, other, f.run.ID)
		refused["ReleaseRun"] = db.ReleaseRun(ctx, other, f.run.ID, f.run.Generation)
		_, refused["NextRun"] = db.NextRun(ctx, other, f.session.ID)
		_, refused["RunBefore"] = db.RunBefore(ctx, other, f.task.ID)
		if ids, err := db.EarlierResults(ctx, other, f.session.ID, f.run.ID); err != nil || len(ids) != 0 {
			t.Errorf("another organization's results: %v, %v", ids, err)
		}
		_, _, refused["AnswerTask in it"] = db.AnswerTask(ctx, other, stockhand.Message{Session: f.session.ID},
			stockhand.Message{})
		_, refused["BeginToolCall"] = db.BeginToolCall(ctx, other, f.run.Generation,
			stockhand.ToolCall{Run: f.run.ID, Seq: 2})
		_, refused["FinishToolCall"] = db.FinishToolCall(ctx, other, f.run.Generation,
			stockhand.ToolCall{Run: f.run.ID, Seq: 1}, nil)
		_, refused["Result"] = db.Result(ctx, other, result)
		for _, err := range db.ResultRows(ctx, other, result, 0, 1) {
			refused["ResultRows"] = err
		}
		_, refused["CreateSession about it"] = db.CreateSession(ctx, other,
			stockhand.Session{Connection: f.connection.ID})
		_, _, refused["CreateRun in it"] = db.CreateRun(ctx, other, stockhand.Message{Session: f.session.ID})
		for method, err := range refused {
			if stockhand.CodeOf(err) != stockhand.CodeNotFound {
				t.Errorf("%s: %v, want NOT_FOUND", method, err)
			}
		}

		seen := map[string]int{}
		count := func(method string, n int, err error) {
			if err != nil {
				t.Errorf("%s: %v", method, err)
			}
			seen[method] = n
		}
		connections, err := db.Connections(ctx, other)
		count("Connections", len(connections), err)
		connections, err = db.ConnectionsOfAccount(ctx, other, f.connection.Connector, f.connection.Account)
		count("ConnectionsOfAccount", len(connections), err)
		sessions, err := db.Sessions(ctx, other, "", "", "", 0)
		count("Sessions", len(sessions), err)
		messages, err := db.Messages(ctx, other, f.session.ID, "", 0)
		count("Messages", len(messages), err)
		runs, err := db.Runs(ctx, other, f.session.ID)
		count("Runs", len(runs), err)
		events, err := db.Events(ctx, other, f.run.ID, 0, 0)
		count("Events", len(events), err)
		calls, err := db.ToolCalls(ctx, other, f.run.ID)
		count("ToolCalls", len(calls), err)
		results, err := db.Results(ctx, other, f.run.ID)
		count("Results", len(results), err)
		for method, n := range seen {
			if n != 0 {
				t.Errorf("%s: %d things of another organization", method, n)
			}
		}
		// And nothing of the first organization has changed.
		if got, err := db.Run(ctx, f.org, f.run.ID); err != nil || got.State != stockhand.RunRunning ||
			got.Generation != f.run.Generation {
			t.Errorf("the run is %+v, %v", got, err)
		}
		if got, err := db.Connection(ctx, f.org, f.connection.ID); err != nil || got.Label != f.connection.Label {
			t.Errorf("the connection is %+v, %v", got, err)
		}
	})
}

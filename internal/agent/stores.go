package agent

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/results"
)

// Store is the database that an agent needs, as declared by each of its parts. See internal/store for what each method
// guarantees.
type Store interface {
	taskStore
	workerStore
	turnStore
	historyStore
	callStore
	stepStore
}

// taskStore stores tasks and cancels their runs.
type taskStore interface {
	Connection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) (stockhand.Connection, error)
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
	Key(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID) (stockhand.Key, error)
	CountUnfinished(ctx context.Context, org stockhand.OrgID, by string) (ofOrg, ofActor int, err error)
	CreateSession(ctx context.Context, org stockhand.OrgID, s stockhand.Session) (stockhand.Session, error)
	CreateCall(ctx context.Context, org stockhand.OrgID, task stockhand.Message, call stockhand.ToolCall,
		events ...stockhand.Event) (stockhand.Message, stockhand.Run, error)
	CreateRun(ctx context.Context, org stockhand.OrgID, task stockhand.Message, events ...stockhand.Event) (
		stockhand.Message, stockhand.Run, error)
	AnswerTask(ctx context.Context, org stockhand.OrgID, task, answer stockhand.Message, events ...stockhand.Event) (
		stockhand.Message, stockhand.Run, error)
	CancelRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, events ...stockhand.Event) (
		[]stockhand.Event, error)
}

// workerStore assigns runs to workers and finishes them.
type workerStore interface {
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	NextRun(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) (stockhand.Run, error)
	ClaimRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, seen int64) (stockhand.Run, error)
	ReleaseRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, generation int64) error
	FinishRun(ctx context.Context, org stockhand.OrgID, end stockhand.RunEnd) ([]stockhand.Event, error)
	AppendEvents(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, generation int64,
		events ...stockhand.Event) ([]stockhand.Event, error)
	AddUsage(ctx context.Context, org stockhand.OrgID, u stockhand.Usage) error
}

// turnStore returns what a turn is about, and its profile.
type turnStore interface {
	Connection(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID) (stockhand.Connection, error)
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
	Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
	SetSessionConnection(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID,
		about stockhand.ConnectionID) error
	Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error)
}

// historyStore returns the past: the log of a run, and the earlier turns of a session.
type historyStore interface {
	Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	RunBefore(ctx context.Context, org stockhand.OrgID, of stockhand.MessageID) (stockhand.Run, error)
	Message(ctx context.Context, org stockhand.OrgID, id stockhand.MessageID) (stockhand.Message, error)
	Messages(ctx context.Context, org stockhand.OrgID, in stockhand.SessionID, after stockhand.MessageID,
		limit int) ([]stockhand.Message, error)
	Events(ctx context.Context, org stockhand.OrgID, of stockhand.RunID, after int64, limit int) ([]stockhand.Event,
		error)
	ToolCalls(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ToolCall, error)
	EarlierResults(ctx context.Context, org stockhand.OrgID, in stockhand.SessionID, before stockhand.RunID) (
		[]stockhand.ResultID, error)
	results.Rows
}

// callStore stores tool calls and their results.
type callStore interface {
	Audit(ctx context.Context, org stockhand.OrgID, entries ...stockhand.AuditEntry) error
	BeginToolCall(ctx context.Context, org stockhand.OrgID, generation int64, call stockhand.ToolCall,
		events ...stockhand.Event) ([]stockhand.Event, error)
	FinishToolCall(ctx context.Context, org stockhand.OrgID, generation int64, call stockhand.ToolCall,
		result *stockhand.StoredResult, events ...stockhand.Event) ([]stockhand.Event, error)
	ToolCalls(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ToolCall, error)
	results.Rows
}

// stepStore stores the model's reply at each step of a run.
type stepStore interface {
	AddModelStep(ctx context.Context, org stockhand.OrgID, generation int64, s stockhand.ModelStep,
		events ...stockhand.Event) ([]stockhand.Event, error)
	ModelSteps(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ModelStep, error)
	WrittenSince(ctx context.Context, org stockhand.OrgID, account stockhand.AccountID, since time.Time) (bool, error)
}

// System has the queries across organizations to find runs without a worker.
type System interface {
	Overlooked(ctx context.Context, silentSince time.Time) ([]stockhand.Run, error)
	UnfinishedLogs(ctx context.Context) (map[stockhand.RunID]int64, error)
}

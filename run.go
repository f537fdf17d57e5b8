package stockhand

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"
)

// Organization is the tenant: everything else belongs to one.
type Organization struct {
	ID      OrgID
	Name    string
	Created time.Time
	Policy  Policy
}

// Connection is an organization's credential for one external account, with what its verification returned.
type Connection struct {
	ID        ConnectionID
	Org       OrgID
	Connector string    // kind of external system, e.g. "moysklad"
	Account   AccountID // the external tenant
	Label     string    // for people; not unique
	Employee  string    // the name of the employee whose token it is
	Rights    []string  // the employee's rights that affect the tools, in the connector's names
	Sealed    Sealed    // the credential, encrypted by internal/secret; it never leaves the server
	Created   time.Time

	// the employee's login, which identifies the employee; empty for old connections
	Login         string
	Organization  string    // the name of the first legal entity; two accounts may share it
	By            string    // the name of the actor who connected it
	GatewayWrites bool      // the gateway allows writes (rule R65)
	Verified      time.Time // when the external system last accepted the credential
	Problem       string    // why it did not, for people; empty if it did
}

// Session is a conversation.
type Session struct {
	ID         SessionID
	Org        OrgID
	Title      string
	Connection ConnectionID // the account of the conversation; empty until it is known
	Kind       SessionKind
	Agent      AgentID // the agent that answers; empty means the built-in one
	By         string  // the name of the actor who started it; empty on the local command line
	Created    time.Time
	Updated    time.Time
}

// SessionKind distinguishes conversations from direct calls. A direct call of a tool is a run with one step in a
// session of its own, so it has the same limits and log as any other run.
type SessionKind string

// The kinds of sessions. Lists contain chats by default.
const (
	SessionChat   SessionKind = "chat"
	SessionDirect SessionKind = "direct"
)

// Author is the author of a message.
type Author string

// The authors of messages.
const (
	FromPerson Author = "user"
	FromAgent  Author = "assistant"
)

// Message is one turn of a session: a person's task, or the agent's finished answer to it.
type Message struct {
	ID      MessageID
	Org     OrgID
	Session SessionID
	Author  Author
	Text    string
	By      string // the name of the actor who wrote it; empty for the agent and on the local command line
	Run     RunID  // the run that answers (a person's message) or that wrote it (the agent's)
	Created time.Time
}

// RunState is the state of a run.
type RunState string

// The states of a run. A run that ends with a question to the person is done.
const (
	RunQueued    RunState = "queued"
	RunRunning   RunState = "running"
	RunDone      RunState = "done"
	RunFailed    RunState = "failed"
	RunCancelled RunState = "cancelled"
)

var runMoves = map[RunState][]RunState{
	RunQueued: {RunRunning, RunCancelled, RunFailed},
	// running → running: claimed by another worker after a crash; running → queued: released
	RunRunning: {RunRunning, RunQueued, RunDone, RunFailed, RunCancelled},
}

// CanBecome reports whether a run in state s may move to next.
func (s RunState) CanBecome(next RunState) bool {
	for _, n := range runMoves[s] {
		if n == next {
			return true
		}
	}
	return false
}

// Finished reports whether the state is final.
func (s RunState) Finished() bool { return len(runMoves[s]) == 0 }

// ErrEarlierTurn means that a run cannot start yet, because turns of a session run in order (rule R54).
var ErrEarlierTurn = errors.New("an earlier turn of the session is not finished")

// Run is the work done for one turn. Its log of events is stored; a stream reads that log (rule R51).
type Run struct {
	ID      RunID
	Org     OrgID
	Session SessionID
	Message MessageID // the person's message that it answers
	// the session's when the run was stored, empty if it had none; workers are shared fairly by it
	Connection ConnectionID
	State      RunState
	Generation int64  // incremented when a worker claims the run; a worker with an older value may not write
	By         string // the name of the actor it works for; empty on the local command line
	Used       Used   // set when the run is finished
	Created    time.Time
	Updated    time.Time
}

// RunEnd ends a run: its final state, cost, answer and last events, stored in one transaction.
type RunEnd struct {
	Run        RunID
	Generation int64 // the worker's; an outdated one changes nothing
	State      RunState
	Used       Used
	Answer     *Message // nil for none
	Events     []Event
}

// EventType is the type of an entry in a run's log (rule R52).
type EventType string

// The types of events. Deltas and progress are sent live and not stored.
const (
	EventStart         EventType = "start"
	EventPlan          EventType = "plan"     // what the run is going to do, in steps
	EventThinking      EventType = "thinking" // a model is asked
	EventDelta         EventType = "delta"
	EventToolStarted   EventType = "tool_started"
	EventToolProgress  EventType = "tool_progress"
	EventToolCompleted EventType = "tool_completed"
	EventNotice        EventType = "notice"
	EventDraftCreated  EventType = "draft_created"
	EventQuestion      EventType = "question"
	EventComplete      EventType = "complete"
	EventError         EventType = "error"
	EventCancelled     EventType = "cancelled"
)

// Event is an entry in a run's log. Seq counts stored events from 1 without gaps.
type Event struct {
	Run  RunID
	Seq  int64
	Type EventType
	Data json.RawMessage // the fields of that type
	At   time.Time
}

// JSON returns the event as clients read it: its type and its fields in one object on one line.
func (e Event) JSON() []byte {
	data := bytes.TrimSpace(e.Data)
	switch e.Type {
	case EventStart: // the rest is for the run itself
		var start struct {
			MessageID  MessageID    `json:"message_id"`
			Connection ConnectionID `json:"connection_id,omitempty"`
			Language   Language     `json:"language,omitempty"`
		}
		if json.Unmarshal(data, &start) == nil {
			data, _ = json.Marshal(start) // these fields always encode
		}
	case EventToolCompleted:
		if !bytes.Contains(data, []byte(`"result_id"`)) {
			data = append(bytes.TrimSuffix(bytes.Clone(data), []byte("}")), `,"result_id":null}`...)
		}
	default:
	}
	var b bytes.Buffer
	b.WriteString(`{"type":"` + string(e.Type) + `"`)
	if fields := bytes.TrimPrefix(data, []byte("{")); len(fields) > 1 {
		b.WriteByte(',')
		b.Write(fields)
	} else {
		b.WriteByte('}')
	}
	var line bytes.Buffer // a server-sent event's data is one line
	if json.Compact(&line, b.Bytes()) != nil {
		return b.Bytes()
	}
	return line.Bytes()
}

// ToolCall is a call of a tool in a run. It is stored before the call and completed after it, so a run that continues
// after a crash repeats no finished call (rule R53).
type ToolCall struct {
	Run       RunID
	Seq       int64 // order within the run, from 1
	Tool      string
	Arguments json.RawMessage
	Done      bool
	Error     string   // for people; empty if the call succeeded
	Result    ResultID // its result; empty if the call failed
	Requests  int      // requests sent to the external system
	Step      int64    // the model step that requested it; 0 without a model
	CallID    string   // the model's ID of the call; empty without a model
	Started   time.Time
	Finished  time.Time
}

// StoredResult is the result of a tool call. Its rows are stored and read in pages, because a result may be large.
type StoredResult struct {
	ID      ResultID
	Org     OrgID
	Run     RunID
	Tool    string
	Head    json.RawMessage // an internal/tool.Result without rows
	Rows    int             // the number of rows
	Expired bool            // the rows were removed after their retention time
	Pages   []RowPage       // all rows, in order; only when it is stored
	Created time.Time
}

// RowPage is consecutive rows of a result.
type RowPage struct {
	First int             // the position of the first one in the result, from 0
	Count int             // how many they are
	Rows  json.RawMessage // a JSON array
}

// ModelStep is one complete reply of a model in a run: its text and the tools that it requested. A run that continues
// after a crash replays its steps and tool calls and does not repeat a request to the model.
type ModelStep struct {
	Run          RunID
	Seq          int64           // from 1
	Message      json.RawMessage // the assistant message, as the provider sent it
	Model        string
	InputTokens  int
	OutputTokens int
	CachedTokens int   // of the input tokens
	Cost         int64 // millionths of the currency that models are priced in
	At           time.Time
}

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
}

// Connection is an organization's credential for one external account, with what was learnt when it was verified.
type Connection struct {
	ID        ConnectionID
	Org       OrgID
	Connector string    // kind of external system, e.g. "moysklad"
	Account   AccountID // the external tenant
	Label     string    // for people; not unique
	Employee  string    // whose token it is, as the external system names that employee
	Rights    []string  // the employee's rights that decide what tools can see, in the connector's own names
	Sealed    Sealed    // the credential, sealed by internal/secret; never leaves the server
	Created   time.Time

	// the employee's login there, by which employees are told apart; empty for one made before it was kept
	Login         string
	Organization  string    // the first legal entity's name, as verified; two accounts may share it
	By            string    // the name of the actor who connected it
	GatewayWrites bool      // the gateway passes more than reads; off by default, audited (product.md, section 5)
	Verified      time.Time // when the external system last accepted the credential
	Problem       string    // why it did not, for people; empty when it did
}

// Session is a conversation.
type Session struct {
	ID         SessionID
	Org        OrgID
	Title      string
	Connection ConnectionID // the account the conversation is about; empty until one is known
	Kind       SessionKind
	Agent      AgentID // the profile that answers; empty is the system's own
	By         string  // the name of the actor who began it; empty for the command line's own
	Created    time.Time
	Updated    time.Time
}

// SessionKind tells conversations from single calls. A direct call of a tool is a run with one step and no reading, in
// a session of its own, so that it has the same limits, log and record as any other.
type SessionKind string

// The kinds of sessions. Lists show chats unless asked for others.
const (
	SessionChat   SessionKind = "chat"
	SessionDirect SessionKind = "direct"
)

// Author says who wrote a message.
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
	By      string // the name of the actor who wrote it; empty for the agent's, and for the command line's own
	Run     RunID  // the run that answers (a person's message) or that wrote it (the agent's)
	Created time.Time
}

// RunState is where the work for a turn stands.
type RunState string

// The states of a run. A run that ends by asking the person something is done: the question is its answer.
const (
	RunQueued    RunState = "queued"
	RunRunning   RunState = "running"
	RunDone      RunState = "done"
	RunFailed    RunState = "failed"
	RunCancelled RunState = "cancelled"
)

var runMoves = map[RunState][]RunState{
	RunQueued: {RunRunning, RunCancelled, RunFailed},
	// running → running: taken over after a crash; → queued: given back
	RunRunning: {RunRunning, RunQueued, RunDone, RunFailed, RunCancelled},
}

// CanBecome tells whether the move from s to next is legal.
func (s RunState) CanBecome(next RunState) bool {
	for _, n := range runMoves[s] {
		if n == next {
			return true
		}
	}
	return false
}

// Finished tells whether nothing more will happen to a run in this state.
func (s RunState) Finished() bool { return len(runMoves[s]) == 0 }

// ErrEarlierTurn is why a run cannot begin yet: turns of one session run one after another, in the order they were
// sent.
var ErrEarlierTurn = errors.New("an earlier turn of the session is not finished")

// Run is the work done for one turn. Its log of events is the record; a stream is a view of the log.
type Run struct {
	ID         RunID
	Org        OrgID
	Session    SessionID
	Message    MessageID // the person's message that it answers
	State      RunState
	Generation int64  // grows each time a worker takes the run: a worker that holds an older one has lost it
	By         string // the name of the actor it works for; empty for the command line's own
	Used       Used   // what it has used, once it is finished
	Created    time.Time
	Updated    time.Time
}

// RunEnd is how a worker ends a run: its last state, what it used, the answer and the last entries of its log, stored
// together.
type RunEnd struct {
	Run        RunID
	Generation int64 // the worker's; an older one ends nothing
	State      RunState
	Used       Used
	Answer     *Message // nil for none
	Events     []Event
}

// EventType names an entry of a run's log (product.md, section 4).
type EventType string

// The entries of a run's log. Text deltas are passed on live and not stored.
const (
	EventStart         EventType = "start"
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

// Event is an entry of a run's log. Seq counts from 1 within the run and has no holes among stored events.
type Event struct {
	Run  RunID
	Seq  int64
	Type EventType
	Data json.RawMessage // the fields of that type
	At   time.Time
}

// JSON is the event as clients read it: its type and its fields in one object on one line.
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

// ToolCall is one call of a tool within a run. It is stored before the call and finished after it, so that a run
// taken over after a crash repeats no finished call.
type ToolCall struct {
	Run       RunID
	Seq       int64 // order within the run, from 1
	Tool      string
	Arguments json.RawMessage
	Done      bool
	Error     string   // for people; empty when the call succeeded
	Result    ResultID // what it returned; empty for a failed call
	Requests  int      // requests sent to the external system
	Step      int64    // the model's step that asked for it; 0 without a model
	CallID    string   // the model's own name of the call; empty without a model
	Started   time.Time
	Finished  time.Time
}

// StoredResult is a tool's result as the store keeps it: whole, with enough beside it to list and to find it.
type StoredResult struct {
	ID      ResultID
	Org     OrgID
	Run     RunID
	Tool    string
	Body    json.RawMessage // internal/tool.Result
	Created time.Time
}

// ModelStep is one finished answer of a model within a run: what it said and which tools it asked for. With the tool
// calls it is the run's journal: a run taken over after a crash replays it and asks the model nothing twice.
type ModelStep struct {
	Run          RunID
	Seq          int64           // from 1
	Message      json.RawMessage // the assistant's message as the provider gave it
	Model        string
	InputTokens  int
	OutputTokens int
	At           time.Time
}

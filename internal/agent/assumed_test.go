package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/tool"
)

// TestRule520_AnUnansweredQuestionStopsNoConversation goes on after a question without answering it: in a session, and
// with the whole conversation in each request.
func TestRule520_AnUnansweredQuestionStopsNoConversation(t *testing.T) {
	s := newShop(t, 1)
	s.ask("остатки по складам") // the account's names are known from here on
	for _, c := range []struct{ want, lead, said string }{
		{`{"measures":["revenue"],"from":"2026-05-01","to":"2026-05-31"}`, "«по оазису»; показываю без",
			"покажи выручку по оазису за июнь | а за май"},
		{`"by":["store"],"from":"2026-06-01"`, "«по оазису»; показываю без", "выручка по оазису за июнь | по складам"},
		{`{"measures":["revenue"],"by":["store"],"from":"2026-05-01","to":"2026-05-31"}`, "",
			"покажи выручку по оазису за июнь | а за май | по складам"},
		{`"by":"product","order":"profit"`, "«квадратно»; показываю без",
			"выручка за июнь | прибыль квадратно | а за май"},
		{`{"measures":["stock"],"by":["store"]}`, "", "выручка по оазису за июнь | остатки на складах"},
		{`"stores":["Витрина"]`, "", "остатки на складе Пушкина | на витрине"},
		{`"kinds":["paymentin"],"from":"2026-11-15","to":"2026-11-21","by":"day"`, "", "приход за неделю | оба, по дням"},
	} {
		said := strings.Split(c.said, " | ")
		var first, last *agent.Finished
		session := stockhand.SessionID("")
		var history []agent.HistoryMessage
		for i, text := range said {
			last = s.finish(t, agent.Task{Text: text, Session: session})
			if first == nil {
				first = last
			}
			if session = last.Session; i+1 < len(said) {
				history = append(history, agent.HistoryMessage{Author: stockhand.FromPerson, Text: text},
					agent.HistoryMessage{Author: stockhand.FromAgent, Text: last.FinalResponse})
			}
		}
		for how, f := range map[string]*agent.Finished{"session": last,
			"history": s.finish(t, agent.Task{Text: said[len(said)-1], History: history})} {
			if len(f.ToolCalls) == 0 {
				t.Errorf("%s, %s: %s", c.said, how, f.FinalResponse)
				continue
			}
			input := string(f.ToolCalls[len(f.ToolCalls)-1].Arguments)
			line, _, _ := strings.Cut(f.FinalResponse, "\n")
			noticed := slices.ContainsFunc(f.Notices, func(n tool.Notice) bool { return n.Code == tool.NoticeAssumed })
			if !strings.Contains(input, c.want) || !strings.Contains(line, c.lead) || noticed != (c.lead != "") {
				t.Errorf("%s, %s: called %s: %s", c.said, how, input, line)
			}
		}
	}
}

// finish carries out a task.
func (s *shop) finish(t *testing.T, task agent.Task) *agent.Finished {
	t.Helper()
	turn, err := s.Start(t.Context(), s.org, task)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Follow(t.Context(), s.org, turn.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := s.Finished(t.Context(), s.org, turn.Run)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

package eval

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/talk"
)

// reworded are ways to say the same: %s is the task, in lower case where a word stands before it.
var reworded = map[string][]string{
	"ru": {"подскажи %s", "слушай, %s", "а %s", "ну %s", "привет! %s", "скажи пожалуйста %s", "хочу узнать %s",
		"интересует %s", "можешь посмотреть %s", "глянь %s", "напомни %s", "быстренько %s", "так, %s", "вопрос: %s",
		"срочно! %s", "будь добр, %s", "коллеги, %s", "есть вопрос, %s", "мне бы %s", "давай %s", "ещё раз %s",
		"кстати %s", "доброе утро, %s", "Прошу предоставить: %s", "нужна информация: %s", "хочу увидеть %s",
		"покажи мне %s", "выведи на экран %s", "%s пожалуйста", "%s плиз", "%s пж", "%s?", "%s??", "%s...", "%s )",
		"%s спасибо", "%s, заранее спасибо", "%s, срочно", "%s, если можно", "%s, а?", "%s у нас", "%s вообще",
		"%s короче", "%s побыстрее", "%s, если не сложно", "%s. Жду.", "%s, нужно для отчёта", "%s, хочу понять",
		"%s. шеф просит", "- %s", "%s!", "%s, очень надо", "эй %s", "вот %s", "%s, можно?", "%s, сможешь?",
		"мы хотим знать %s", "надо посмотреть %s", "проверь %s", "%s, проверь", "%s покажи", "%s, скажи",
		"%s сориентируй", "помоги: %s", "%s напиши", "расскажи %s", "дай глянуть %s", "дай %s", "скинь %s", "кинь %s"},
	"en": {"please %s", "hey, %s", "hi %s", "ok so %s", "quick question: %s", "can you tell me %s",
		"could you show me %s", "I want to know %s", "I'd like to see %s", "show %s", "pls %s", "%s please",
		"%s pls", "%s?", "%s??", "%s thanks", "%s, thx", "%s asap", "%s, if possible", "%s. Thanks!",
		"just %s", "so, %s", "%s, quickly", "%s for me", "- %s",
		"%s right now please", "remind me %s", "check %s", "%s, can you check", "need to know %s", "give me %s",
		"lemme see %s", "good morning, %s", "%s, my boss is asking", "tell me %s", "wondering %s", "well, %s"},
}

// TestWordingsKeepTheReading says labelled tasks in other words that ask for nothing more: the reading stays (rule
// R791). STOCKHAND_TEST_WORDINGS is the beginning of the name of a file for those of all tasks that do not.
func TestWordingsKeepTheReading(t *testing.T) {
	t.Parallel()
	c := changes{examples: map[string][]string{}}
	every := 6 // a part of the tasks is enough
	if testing.Short() {
		every = 60
	}
	to := os.Getenv("STOCKHAND_TEST_WORDINGS")
	if to != "" {
		every = 1
	}
	for i, p := range labelledPhrases(t) {
		if i%every != 0 {
			continue
		}
		read := func(task string) language.Reading {
			return language.Read(task, language.Input{Now: p.now, Names: p.names, Catalogue: measures.Catalogue})
		}
		r := read(p.task)
		if !r.Skill.Calls() || r.Question != nil || r.Outside || len(r.Unknown) > 0 || len(r.Unused) > 0 {
			continue
		}
		want := executed(r)
		for kind, task := range waysToSay(p.task, string(r.Language)) {
			c.add(want, read(task), kind, task)
		}
	}
	c.report(t, "wordings", to)
}

// followed are follow-ups of answers with figures.
var followed = map[string][]string{
	"ru": {"а за прошлый месяц", "по складам", "а на витрине", "только посуда", "без нулевых", "топ 3", "и прибыль",
		"наоборот", "по дням", "сравни с сентябрём", "кроме посуды", "за октябрь", "по группам", "в процентах",
		"больше 10", "а прибыль?", "по убыванию"},
	"en": {"and last month", "by warehouse", "only Посуда", "top 3", "and profit", "by day", "for October",
		"except Посуда", "by group", "compare with September", "the other way round"},
}

// TestWordingsKeepFollowUps says follow-ups of labelled tasks in other words: the reading stays (rule R791).
func TestWordingsKeepFollowUps(t *testing.T) {
	t.Parallel()
	every := 40
	if testing.Short() {
		every = 400
	}
	c := changes{examples: map[string][]string{}}
	to := os.Getenv("STOCKHAND_TEST_WORDINGS")
	for n, p := range labelledPhrases(t) {
		in := language.Input{Now: p.now, Names: p.names, Catalogue: measures.Catalogue}
		first := language.Read(p.task, in)
		if n%every != 0 || !first.Skill.Reads() || first.Question != nil || first.Outside || len(first.Unknown) > 0 {
			continue
		}
		in.Previous = &first
		for k, f := range followed[string(first.Language)] {
			r := talk.Read(f, in)
			if !r.FollowUp || !r.Skill.Calls() || r.Question != nil || r.Outside || len(r.Unknown)+len(r.Unused) > 0 {
				continue
			}
			want := executed(r)
			for kind, task := range waysToSay(f, string(first.Language)) {
				if (len(kind)+k)%4 != 0 {
					continue
				}
				c.add(want, talk.Read(task, in), kind, p.task+" / "+task)
			}
		}
	}
	c.report(t, "follow-ups", to)
}

// changes are wordings that change the reading, by what becomes of it and by the wording.
type changes struct {
	tried    int
	examples map[string][]string
}

// add compares the reading of a task in other words with the call of the task as it was.
func (c *changes) add(want string, r language.Reading, wording, task string) {
	c.tried++
	becomes := ""
	switch {
	case r.Outside:
		becomes = "outside"
	case r.Question != nil:
		becomes = "asks"
	case executed(r) != want:
		becomes = "changed"
	case len(r.Unused) > 0 || len(r.Unknown) > 0 || len(r.Ignored) > 0:
		becomes = "names words"
	default:
		return
	}
	key := becomes + " · " + wording
	c.examples[key] = append(c.examples[key], task)
}

// report prints what changes most, writes all of it to a file, and allows one change in a hundred.
func (c *changes) report(t *testing.T, of, to string) {
	const shown = 20
	list := slices.SortedFunc(maps.Keys(c.examples), func(x, y string) int {
		return cmp.Or(len(c.examples[y])-len(c.examples[x]), strings.Compare(x, y))
	})
	total := 0
	for i, key := range list {
		if total += len(c.examples[key]); i < shown {
			t.Logf("%s: %3d %s, e.g. %s", of, len(c.examples[key]), key, c.examples[key][0])
		}
	}
	t.Logf("%s: %d of %d change the reading", of, total, c.tried)
	if to != "" {
		b, err := json.MarshalIndent(c.examples, "", " ")
		if err == nil {
			err = os.WriteFile(to+"."+of+".json", b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if total*100 > c.tried {
		t.Errorf("%d of %d %s change the reading, more than one in a hundred", total, c.tried, of)
	}
}

// executed is what a reading calls.
func executed(r language.Reading) string {
	b, err := json.Marshal([]any{r.Skill, r.ToolInput()})
	if err != nil {
		return err.Error()
	}
	return string(b)
}

var (
	lastPart  = regexp.MustCompile(`^(.+?) ((?:за|с|на|в|по|из|у|от|для|кроме|без|for|in|by|since|on|from|at|without) [^,;:]+)$`)
	sinceWord = regexp.MustCompile(` за (январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр|вчера|сегодня|позавчера|прошл|эту|этот)`)
	longWord  = regexp.MustCompile(`\p{L}{7,}`)
)

// waysToSay returns a task in other words, by the kind of change.
func waysToSay(task, language string) map[string]string {
	out := map[string]string{}
	lower := task
	if rs := []rune(task); len(rs) > 1 && strings.ToUpper(string(rs[1])) != string(rs[1]) {
		lower = strings.ToLower(string(rs[0])) + string(rs[1:])
	}
	plain := strings.TrimRight(lower, ".?! ")
	for _, f := range reworded[language] {
		of := plain
		if strings.HasSuffix(f, "%s") {
			of = lower
		}
		out[f] = strings.Replace(f, "%s", of, 1)
	}
	out["capitals"] = strings.ToUpper(task)
	out["small letters"] = strings.ToLower(task)
	out["two spaces"] = strings.ReplaceAll(task, " ", "  ")
	out["no space behind a comma"] = strings.ReplaceAll(task, ", ", ",")
	out["no marks"] = strings.NewReplacer(",", "", "?", "", ".", " ").Replace(task)
	out["ё"] = strings.ReplaceAll(task, "ё", "е")
	if m := lastPart.FindStringSubmatch(plain); m != nil {
		out["the last part first"] = m[2] + " " + m[1]
		out["the last part first, comma"] = m[2] + ", " + m[1]
		out["у нас inside"] = m[1] + " у нас " + m[2]
		out["там inside"] = m[1] + " там " + m[2]
		out["comma inside"] = m[1] + ", " + m[2]
	}
	if sinceWord.MatchString(plain) {
		out["no за"] = sinceWord.ReplaceAllString(plain, " $1")
	}
	if at := longWord.FindAllStringIndex(plain, -1); len(at) > 0 {
		k := at[len(plain)%len(at)]
		w := []rune(plain[k[0]:k[1]])
		i := 2 + len(plain)%(len(w)-4)
		out["a letter missing"] = plain[:k[0]] + string(w[:i]) + string(w[i+1:]) + plain[k[1]:]
		out["a letter twice"] = plain[:k[0]] + string(w[:i+1]) + string(w[i:]) + plain[k[1]:]
		swapped := slices.Clone(w)
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		out["two letters swapped"] = plain[:k[0]] + string(swapped) + plain[k[1]:]
	}
	if language != "ru" {
		delete(out, "у нас inside")
		delete(out, "там inside")
	}
	return out
}

package aside

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Last is the last answer of a conversation.
type Last struct {
	Table    *tool.Table        // nil if there was none, or if it has expired
	Result   stockhand.ResultID // of the table
	URL      string             // of the table
	Since    []string           // what was said since
	Question *dialogue.Question // that is open; nil for none
}

// mostShown is how many rows of a table an answer shows at most.
const mostShown = 300

// Answer answers a message about the last answer (rule R294); "" if it is something else.
func (x Last) Answer(message string, l stockhand.Language) (render.Markdown, error) {
	a := act.Read(message)
	if n := firstRows(message); n > 0 && x.Table != nil && x.Question == nil {
		return x.first(n, x.name(), l)
	}
	if x.Question == nil && dialogue.Picks(message) && !strings.HasPrefix(strings.TrimLeft(message, " №#"), "0") &&
		!strings.ContainsAny(message, "№#") {
		return plain(l.Pick("Выбирать не из чего: вопроса с вариантами сейчас нет.",
			"There is nothing to choose: no question is open.")), nil
	}
	if x.Table == nil {
		if a.Kind == act.Export && prints(message) {
			return plain(l.Pick("Печатать я не умею. Спросите таблицу, например «остатки по складам»: её "+
				"можно скачать в Excel и "+
				"распечатать.", "I cannot print. Ask for a table, for example “stock by warehouse”: it can be downloaded as "+
				"Excel and printed.")), nil
		}
		return x.nothing(a, l), nil
	}
	t := *x.Table
	name := x.name()
	title := l.Pick("«"+name+"»", "“"+name+"”")
	link := func(name, format string) render.Markdown {
		return "[" + render.Markdown(name) + "](" + render.Markdown(x.URL+"?format="+format) + ")"
	}
	files := link("Excel", "xlsx") + ", " + link("CSV", "csv")
	switch a.Kind {
	case act.All, act.More, act.Details:
		from, to := x.shown(), t.Count
		if a.Kind == act.More {
			to = from + cmp.Or(a.Rows, render.ShownRows)
		} else {
			from = 0
		}
		if from >= t.Count && len(t.Parts) == 0 {
			return plain(fmt.Sprintf(l.Pick("Это все строки таблицы %s: %d.",
				"Those are all rows of the table %s: %d."), title,
				t.Count)), nil
		}
		rows, err := render.Rows(t, from, min(to, from+mostShown), l)
		if err != nil {
			return "", err
		}
		head := plain(fmt.Sprintf(l.Pick("%s, строки %d–%d из %d:", "%s, rows %d–%d of %d:"), name, from+1,
			min(to, from+mostShown, t.Count), t.Count))
		if len(t.Parts) > 0 {
			head = plain(t.Title + ":")
		}
		text := head + "\n\n" + rows
		if t.Count > from+mostShown && a.Kind == act.All {
			text += "\n\n" + plain(l.Pick("Вся таблица:", "The whole table:")) + " " + files
		}
		return text, nil
	case act.Export:
		text := plain(fmt.Sprintf(l.Pick("Таблица %s, строк: %d. Скачать:", "The table %s, rows: %d. Download:"),
			title, t.Count)) +
			" " + files + "."
		if folded := strings.ToLower(message); strings.Contains(folded, "pdf") || prints(message) ||
			strings.Contains(folded, "гугл") {
			text = plain(l.Pick("Так не умею, только Excel и CSV.", "I cannot do that, only Excel and CSV.")) + " " +
				text
		}
		return text, nil
	case act.Chart:
		charts, err := x.Charts(l)
		if err != nil {
			return "", err
		}
		text := l.Pick("Для графика таблица %s не подходит: в ней нет ряда чисел. Скачать её:",
			"The table %s is not one for a chart: it has no series of figures. Download it:")
		if len(charts) > 0 {
			text = l.Pick("График таблицы %s показывает консоль Stockhand. В другой программе его можно построить "+
				"по файлу:",
				"Stockhand's console shows the chart of the table %s. In another program, make one of the file:")
		}
		return plain(fmt.Sprintf(text, title)) + " " + files + ".", nil
	case act.Why:
		return plain(l.Pick("Причину по этим данным назвать нельзя. Могу показать, из чего состоит изменение.\n"+
			"Например: «почему изменилась выручка за месяц по товарам».",
			"These figures do not tell the cause. I can show what a change consists of.\n"+
				"For example: “why did revenue change this month by product”.")), nil
	case act.Lost:
		if x.Question != nil {
			return plain(l.Pick("Выберите, что показать: ответьте номером.",
				"Choose what to show: answer with a number.")) +
				"\n\n" + x.Question.Message(), nil
		}
		return plain(fmt.Sprintf(l.Pick("Последний ответ — %s. Спросите иначе, или напишите «помощь»: покажу примеры.",
			"The last answer was %s. Ask in other words, or say “help” for examples."), title)), nil
	default:
		return done(a, l), nil
	}
}

// prints reports whether a message asks for paper.
func prints(message string) bool {
	folded := strings.ToLower(message)
	return strings.Contains(folded, "печат") || strings.Contains(folded, "print") || strings.Contains(folded, "принтер")
}

// Charts returns the charts of the last answer, which the console draws: as people would look at it, or bars.
func (x Last) Charts(l stockhand.Language) ([]blocks.Block, error) {
	if x.Table == nil {
		return nil, nil
	}
	all, _, err := blocks.Place{Kind: blocks.Chart}.Of(x.Result, *x.Table, false, l)
	return slices.DeleteFunc(all, func(b blocks.Block) bool { return b.Type != blocks.Chart }), err
}

// name says what the last table is: a query says it in its answer.
func (x Last) name() string {
	for _, totals := range []string{". Всего:", ". In total:"} {
		if said, _, ok := strings.Cut(x.Table.Answer, totals); ok {
			return said
		}
	}
	return x.Table.Title
}

// first shows the first rows of the last table.
func (x Last) first(n int, name string, l stockhand.Language) (render.Markdown, error) {
	rows, err := render.Rows(*x.Table, 0, min(n, x.Table.Count, mostShown), l)
	if err != nil {
		return "", err
	}
	return plain(fmt.Sprintf(l.Pick("%s, строки 1–%d из %d:", "%s, rows 1–%d of %d:"), name,
		min(n, x.Table.Count, mostShown), x.Table.Count)) + "\n\n" + rows, nil
}

// firstRows reads "покажи 20" and "дай первые 15 строк": how many rows to show; 0 for any other message.
func firstRows(message string) int {
	n, shows := 0, false
	for _, t := range token.Split(message) {
		i, err := strconv.Atoi(t.Norm)
		switch {
		case err == nil && n == 0 && i > 1:
			n = i
		case showWords[t.Norm]:
			shows = true
		case t.Kind != token.Mark && !aroundRows[t.Norm]:
			return 0
		}
	}
	if !shows {
		return 0
	}
	return n
}

var (
	showWords = words.Set("покажи покажите показать дай дайте выведи вывести строк строки позиций show give rows " +
		"lines")
	aroundRows = words.Set("а и первые первых штук товаров пожалуйста мне тогда давай the first me please now и")
)

// shown returns how many of the first rows were shown.
func (x Last) shown() int {
	n := render.ShownRows
	for _, said := range x.Since {
		switch act.Read(said).Kind {
		case act.All, act.Details:
			return x.Table.Count
		case act.More:
			n += cmp.Or(act.Read(said).Rows, render.ShownRows)
		default:
		}
	}
	return n
}

// nothing answers a message about an answer that there is not.
func (x Last) nothing(a act.Act, l stockhand.Language) render.Markdown {
	switch a.Kind {
	case act.All, act.More, act.Export, act.Chart, act.Details:
		return plain(l.Pick("Показывать нечего: таблицы в этом разговоре ещё не было.\nСпросите, например: "+
			"«остатки по складам».",
			"Nothing to show: this conversation has no table yet.\nAsk, for example: “stock by warehouse”."))
	case act.Why:
		return plain(l.Pick("О чём речь? Спросите, например: «почему упала выручка за месяц».",
			"About what? Ask, for example: “why did revenue drop this month”."))
	case act.Lost:
		if x.Question != nil {
			return plain(l.Pick("Выберите, что показать: ответьте номером.",
				"Choose what to show: answer with a number.")) +
				"\n\n" + x.Question.Message()
		}
		return plain(l.Pick("Я отвечаю на вопросы об остатках, продажах, деньгах и заказах. Напишите "+
			"«помощь»: покажу примеры.",
			"I answer questions about stock, sales, money and orders. Say “help” for examples."))
	default:
		return done(a, l)
	}
}

// done answers a decision where there is nothing to decide.
func done(a act.Act, l stockhand.Language) render.Markdown {
	switch a.Kind {
	case act.Reject:
		return plain(l.Pick("Хорошо, ничего не делаю.", "All right, nothing is done."))
	case act.Undo:
		return plain(l.Pick("Возвращать нечего: в этом разговоре ничего не записано.",
			"Nothing to take back: nothing was written in this conversation."))
	default:
		return ""
	}
}

// WithoutTool returns the reply to a message that no tool answers: one line for small talk, otherwise what Stockhand
// cannot do.
func WithoutTool(task string, l stockhand.Language, r language.Reading) render.Markdown {
	switch r.Skill {
	case language.SmallTalk:
		return render.Markdown(r.Reply(l)) // our own words alone
	case language.Help:
		return render.Markdown(language.HelpText(l))
	default:
		if r.Refusal != "" {
			return render.Markdown(r.Refusal)
		}
		return Cannot(task, l)
	}
}

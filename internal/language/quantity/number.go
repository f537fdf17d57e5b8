package quantity

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// moreWords say that the number after them is a lower bound.
var moreWords = words.Set("больше более свыше выше превышает превышающие превышающий от дороже крупнее over " +
	"above exceeding more least exceeds bigger larger greater минимум min")

// informalScales are the words for thousands and millions that only tasks have.
var informalScales = words.Table(map[int64]string{1e3: "т тыщ тыщи косарей grand thou", 1e6: "лям ляма лямов m"})

// scale returns the factor that a word such as "тысяч" stands for; 1 for any other word.
func scale(w string) int64 {
	if n, ok := informalScales[w]; ok {
		return n
	}
	if u, _ := words.UnitOf(w); u.Scale {
		return u.Factor
	}
	return 1
}

// isCurrency reports whether a word makes the number before it an amount.
func isCurrency(w string) bool { return w == "₽" || UnitKind(w) == words.Money }

func isPercent(w string) bool { return w == "%" || UnitKind(w) == words.Percent }

func UnitKind(w string) words.UnitKind {
	u, _ := words.UnitOf(w)
	return u.Kind
}

// readNumbers reads and marks amounts, percentages and row counts among the tokens that no period took.
func (c *calendar) readNumbers(q *Quantities) {
	for i := range c.ts {
		w := c.norm(i)
		if w == "" {
			continue
		}
		if c.ts[i].Kind != token.Number {
			if n, k := c.spelled(i); n > 0 && isPercent(c.norm(i+k)) {
				q.Percent = strconv.Itoa(n)
				q.Off = c.norm(i+k+1) == "off"
				c.use(i, i+k+1)
				continue
			}
			if n := Numeral(w); n > 1 && q.Limit == 0 && c.countsRows(i, 1) {
				q.Limit = n
				c.ts[i].Use = token.AsNumber
			}
			continue
		}
		text, j := c.decimal(i)
		if text == "" {
			continue
		}
		if isPercent(c.norm(j)) {
			q.Percent = text
			q.Off = c.norm(j+1) == "off"
			if sign := c.norm(i - 1); c.ts[i].Glued && (sign == "-" || sign == "+") && !c.ts[i-1].Glued {
				q.Plus = sign == "+"
				q.Percent = strings.TrimPrefix(sign, "+") + text
			}
			c.use(i, j+1)
			continue
		}
		factor := scale(c.norm(j))
		if factor > 1 {
			j++
			if c.norm(j) == "." {
				j++
			}
		}
		currency := false
		if isCurrency(c.norm(j)) {
			currency = true
			j++
		}
		over := moreWords[c.norm(i-1)] || c.norm(i-1) == "than" && moreWords[c.norm(i-2)] || c.norm(i-1) == "чем" &&
			moreWords[c.norm(i-2)] || c.norm(i-1) == "at" || c.norm(i-1) == "на" && moreWords[c.norm(i-2)]
		n, whole := wholeNumber(text)
		switch {
		case factor > 1 || currency || over && (!whole || n >= 500):
			if v, ok := multiply(text, factor); ok {
				q.Amounts = append(q.Amounts, Amount{Text: v, at: i, over: over})
				c.use(i, j)
			}
		case whole && n > 0 && n <= 10_000 && q.Limit == 0 && c.countsRows(i, j-i):
			q.Limit = n
			c.use(i, j)
		}
	}
}

// spelled reads a whole number in words at token i: "двадцать пять", "twenty-five". It returns how many tokens it
// takes.
func (c *calendar) spelled(i int) (value, n int) {
	if c.norm(i) == "" || c.ts[i].Kind != token.Word {
		return 0, 0
	}
	value, n = c.count(i)
	if ones := Numeral(c.norm(i + 2)); n == 1 && value >= 20 && c.norm(i+1) == "-" && ones > 0 && ones < 10 {
		return value + ones, 3
	}
	return value, n
}

func (c *calendar) use(i, j int) {
	for ; i < j && i < len(c.ts); i++ {
		c.ts[i].Use = token.AsNumber
	}
}

// decimal reads a number that may be written in groups: 10 000, 1 234,56, 10,000. It returns the number with a point,
// and the token after it.
func (c *calendar) decimal(i int) (string, int) {
	text := c.norm(i)
	j := i + 1
	for len(text) <= 12 && len(strings.Split(text, " ")[0]) <= 3 && j < len(c.ts) && c.ts[j].Kind == token.Number &&
		c.ts[j].Use == token.Unused && !c.ts[j].Glued && len(c.norm(j)) >= 3 && digitsOnly(c.norm(j)[:3]) &&
		(len(c.norm(j)) == 3 || c.norm(j)[3] == ',' || c.norm(j)[3] == '.') && digitsOnly(text) {
		text += c.norm(j)
		j++
	}
	switch {
	case strings.Count(text, ",") == 1 && strings.Count(text, ".") == 0:
		whole, frac, _ := strings.Cut(text, ",")
		if len(frac) == 3 && !c.russianNear(i) { // 10,000
			text = whole + frac
		} else {
			text = whole + "." + frac
		}
	case strings.Count(text, ",") > 1:
		text = strings.ReplaceAll(text, ",", "")
	}
	if strings.Count(text, ".") > 1 || len(text) > 15 {
		return "", j
	}
	return text, j
}

func (c *calendar) russianNear(i int) bool {
	for _, t := range c.ts[max(0, i-3):min(len(c.ts), i+3)] {
		if t.Cyrillic {
			return true
		}
	}
	return false
}

func digitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

func wholeNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// multiply returns text times scale, exact, without trailing zeros.
func multiply(text string, scale int64) (string, bool) {
	whole, frac, _ := strings.Cut(text, ".")
	for scale > 1 {
		digit := "0"
		if frac != "" {
			digit, frac = frac[:1], frac[1:]
		}
		whole += digit
		scale /= 10
	}
	whole = strings.TrimLeft(whole, "0")
	frac = strings.TrimRight(frac, "0")
	if whole == "" {
		whole = "0"
	}
	if len(whole) > 15 || !digitsOnly(whole+frac) {
		return "", false
	}
	if frac != "" {
		whole += "." + frac
	}
	return whole, true
}

// rankWords say that the number beside them is how many rows to show.
var rankWords = words.Set("топ top первые первых первую первый first лучшие лучших best худшие худших worst " +
	"самых самые bottom ведущих крупнейших largest biggest только show покажи выведи limit лимит")

// counted are nouns for rows: "5 должников".
var counted = words.Set("должников дебиторов товаров товара позиций позиции клиентов клиента покупателей " +
	"покупателя поставщиков контрагентов заказов заказа сотрудников менеджеров продавцов debtors products " +
	"items goods customers clients suppliers orders employees positions skus")

func largest(w string) bool {
	return strings.HasPrefix(w, "крупн") || strings.HasPrefix(w, "прибыльн") || strings.HasPrefix(w, "убыточн") ||
		strings.HasPrefix(w, "популярн") || strings.HasPrefix(w, "ходов") || w == "большие" || w == "больших" ||
		w == "дорогие" || w == "biggest" || w == "largest" || w == "best" || w == "worst"
}

// countsRows reports whether the number at i is how many rows to show: it follows "топ", or precedes "самых", "лучших"
// or a noun for rows.
func (c *calendar) countsRows(i, n int) bool {
	before := c.norm(i - 1)
	if before == "-" {
		before = c.norm(i - 2)
	}
	if before == "the" {
		before = c.norm(i - 2)
	}
	next := c.norm(i + n)
	if before == "топ" || before == "top" || before == "bottom" || before == "limit" || before == "лимит" ||
		before == "антитоп" {
		return true
	}
	if words.TimeUnitOf(next) != noLength || isCurrency(next) || next == "шт" || next == "штук" || next == "pcs" ||
		next == "units" || next == "раз" {
		return false
	}
	if counted[next] && (i == 0 || rankWords[before]) { // "5 должников"
		return true
	}
	// "самые крупные 10"
	if largest(before) && (next == "" || next == "." || next == "!" || next == "?" || next == ",") {
		return true
	}
	if rankWords[before] && before != "самые" {
		return true
	}
	return rankWords[next] && next != "только" || strings.HasPrefix(next, "наибол") ||
		strings.HasPrefix(next, "наимен") || strings.HasPrefix(next, "прибыльн") || strings.HasPrefix(next, "крупн") ||
		strings.HasPrefix(next, "убыточн") || strings.HasPrefix(next, "популярн") || strings.HasPrefix(next, "ходов") ||
		strings.HasPrefix(next, "худш") ||
		next == "most" || next == "least" || next == "highest" || next == "lowest" || next == "slowest" ||
		next == "oldest" || next == "top"
}

func PlainNumber(s string) string {
	if strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
		s = strings.Replace(s, ",", ".", 1)
	}
	if s == "" || len(s) > 12 || strings.Count(s, ".") > 1 || !digitsOnly(strings.Replace(s, ".", "", 1)) ||
		strings.Trim(s, "0.") == "" {
		return ""
	}
	return s
}

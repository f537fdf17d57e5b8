package token

import "strings"

// contracted are negated verbs typed without the apostrophe, and their verbs.
var contracted = map[string]string{"dont": "do", "doesnt": "does", "didnt": "did", "hasnt": "has", "havent": "have",
	"hadnt": "had", "isnt": "is", "arent": "are", "wasnt": "was", "werent": "were", "cant": "can", "couldnt": "could",
	"shouldnt": "should", "wouldnt": "would", "wont": "will", "neednt": "need", "aint": "is"}

// runTogether are words typed without the apostrophe of their clitic.
var runTogether = map[string]string{"whats": "what", "hows": "how", "whos": "who", "wheres": "where",
	"thats": "that", "theres": "there", "weve": "we", "ive": "i", "im": "i", "lets": "let", "whens": "when",
	"youre": "you", "youve": "you", "theyre": "they", "theyve": "they", "itll": "it", "heres": "here", "whatll": "what",
	"wholl": "who", "whove": "who", "hes": "he", "shes": "she"}

// shorthand are words as people type them in messages, and what they stand for. "r" and "u" are often part of a code,
// so they count only where they stand alone.
var shorthand = map[string]string{"u": "you", "ur": "your", "r": "are", "yr": "year", "yrs": "years", "wk": "week",
	"wks": "weeks", "mth": "month", "mths": "months", "mnth": "month", "qtr": "quarter", "qtrs": "quarters",
	"pls": "please", "plz": "please", "plse": "please", "thx": "thanks", "thnx": "thanks", "tnx": "thanks",
	"cuz": "because", "coz": "because", "abt": "about", "btwn": "between", "bt": "between", "b4": "before",
	"wat": "what", "wht": "what", "wich": "which", "wen": "when", "hw": "how", "frm": "from", "shd": "should",
	"mgr": "manager", "whse": "warehouse", "wh": "warehouse", "purch": "purchase", "inv": "invoice", "cust": "customer",
	"custs": "customers", "supp": "supplier", "suppl": "supplier", "prod": "product", "prods": "products",
	"prof": "profit", "rev": "revenue", "amt": "amount", "ordr": "order", "mgn": "margin",
	"cat": "category", "avg": "average",
	"седня": "сегодня", "седни": "сегодня", "сення": "сегодня", "сегоня": "сегодня", "вчерась": "вчера",
	"че": "что", "чо": "что", "шо": "что", "скок": "сколько", "скока": "сколько", "скоко": "сколько",
	"скольк": "сколько", "щас": "сейчас", "ща": "сейчас", "счас": "сейчас", "када": "когда", "ваще": "вообще",
	"offen":       "often",
	"насписывали": "списали", "насписали": "списали", "навозвращали": "вернули", "назаказывали": "заказали",
	"напродавали": "продали", "наотгружали": "отгрузили", "напринимали": "приняли",
	"tmrw": "tomorrow", "tmr": "tomorrow", "tomo": "tomorrow", "yest": "yesterday", "tday": "today"}

// Shorthand returns what a folded word stands for in messages; the word itself for most.
func Shorthand(w string) string {
	if full := shorthand[w]; full != "" {
		return full
	}
	return w
}

// shortened replaces words that are only shorthand, "w/" and "w/o", and the "x" of "30 x" and "x12".
func shortened(ts []Token) []Token {
	out := ts[:0]
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		follows := func(n int, mark string) bool {
			return i+n < len(ts) && ts[i+n].Norm == mark && ts[i+n].Glued
		}
		alone := !t.Glued && !follows(1, "/") && !follows(1, "-") && !follows(1, "&")
		switch full := shorthand[t.Norm]; {
		case t.Norm == "walk" && follows(1, "-") && (follows(2, "in") || follows(2, "ins")):
			i += 2
			if i+1 < len(ts) && ts[i+1].Norm == "retail" { // "walk-in retail"
				continue
			}
			t.Norm, t.Stem, t.End = "retail", StemOf("retail"), ts[i].End
		case t.Kind != Word:
		case t.Norm == "w" && !t.Glued && follows(1, "/"):
			n := 1
			full = "with"
			if follows(2, "o") || follows(2, "out") {
				n, full = 2, "without"
			}
			t.Raw, t.Norm, t.Stem, t.End = t.Raw+"/", full, StemOf(full), ts[i+n].End
			i += n
		case t.Norm == "по" && i+1 < len(ts) && ts[i+1].Norm == "сколько" &&
			(i+2 == len(ts) || !countable[ts[i+2].Norm]):
			i++ // "берём по сколько" (rule R1151)
			t.Norm, t.Stem, t.End = "почем", StemOf("почем"), ts[i].End
		case full != "" && alone:
			t.Norm, t.Stem = full, StemOf(full)
		case times(t.Norm):
			before := len(out) > 0 && out[len(out)-1].Kind == Number
			behind := i+1 < len(ts) && ts[i+1].Kind == Number
			if before != behind && !t.Glued { // "30 x", "x 30"
				continue
			}
		case len(t.Norm) > 1:
			goods := i+1 < len(ts) && ts[i+1].Cyrillic || len(t.Norm) > 2 && i > 0 // "grew 2x" is a factor
			if n, ok := timesNumber(t.Norm); ok && goods {
				t.Kind, t.Norm, t.Stem = Number, n, ""
			}
		}
		out = append(out, t)
	}
	return out
}

// countable are words of which "по сколько" asks the number.
var countable = map[string]bool{"штук": true, "шт": true, "дней": true, "раз": true, "пачек": true, "единиц": true,
	"кг": true, "коробок": true, "упаковок": true, "товаров": true, "часов": true, "недель": true, "месяцев": true}

// Compares reports whether a character compares numbers.
func Compares(raw string) bool { return strings.Contains("<>=≤≥", raw) }

// signs are the words for characters that compare what stands before a number with it.
var signs = map[string]string{">": "over", "<": "under", "=": "exactly", ">=": "at least", "=>": "at least",
	"≥": "at least", "<=": "at most", "=<": "at most", "≤": "at most"}

// comparisons puts words in place of characters such as ">" before a number, and leaves out the others.
func comparisons(ts []Token) []Token {
	out := make([]Token, 0, len(ts))
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		if t.Kind != Mark || !Compares(t.Raw) {
			out = append(out, t)
			continue
		}
		if next := i + 1; next < len(ts) && ts[next].Glued && ts[next].Kind == Mark && Compares(ts[next].Raw) {
			t.Raw, t.End, i = t.Raw+ts[next].Raw, ts[next].End, next
		}
		if i+1 >= len(ts) || ts[i+1].Kind != Number {
			continue
		}
		for w := range strings.FieldsSeq(signs[t.Raw]) {
			x := t
			x.Kind, x.Norm, x.Stem, x.Glued = Word, w, StemOf(w), false
			out = append(out, x)
			t.Start = t.End // the tokens do not overlap
		}
	}
	return out
}

func times(w string) bool { return w == "x" || w == "х" }

// timesNumber returns the number of "x12" and "12x".
func timesNumber(w string) (n string, ok bool) {
	n = w
	for _, x := range [...]string{"x", "х"} {
		n = strings.TrimSuffix(strings.TrimPrefix(n, x), x)
	}
	return n, n != w && n != "" && strings.Trim(n, "0123456789") == ""
}

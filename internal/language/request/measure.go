package request

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Comparison returns the operator before token i, and its first token. A word that is used counts if `used` is set.
func (s *Sentence) Comparison(i int, used bool) (analysis.Op, int) {
	at := i - 1
	switch s.Word(at) {
	case "чем", "than":
		at--
	case "expensive":
		at++
	case "на":
		if Comparatives[s.Word(at-1)] == "" { // "меньше чем на 10 дней" too
			if s.Word(at-1) != "чем" {
				return "", i
			}
			at--
		}
		at--
	}
	if s.Word(at) == "expensive" {
		at--
	}
	op := Comparatives[s.Word(at)]
	if op == "" || s.Words[at].Use == token.AsAccount && !used { // "дешевле на 10 %" is a goal
		return "", i
	}
	if w := s.Word(at - 1); w == "не" || w == "not" || w == "no" {
		at--
		op = map[analysis.Op]analysis.Op{analysis.Greater: analysis.LessEqual, analysis.Less: analysis.GreaterEqual,
			analysis.GreaterEqual: analysis.Less, analysis.LessEqual: analysis.Greater}[op]
	} else if w == "at" {
		at--
	}
	return op, at
}

// Counts reports whether a number may be a quantity of goods.
func (s *Sentence) Counts() bool {
	for i := range s.Words {
		if s.Words[i].Use != token.Unused || s.Words[i].Kind != token.Number && Numeral(s.Words[i].Norm) == 0 {
			continue
		}
		u, _ := words.UnitOf(s.Word(i + 1))
		if u.Kind != words.Days && u.Kind != words.Money && u.Kind != words.Percent && !u.Scale &&
			Informal[s.Word(i+1)] == 0 && s.Word(i+1) != "₽" && s.Word(i+1) != "%" {
			return true
		}
	}
	return false
}

// SoldQuantity returns the tokens that say that a quantity is that of sales, "сколько продали"; no end for none.
func (s *Sentence) SoldQuantity() (from, end int) {
	for i := range s.Words {
		k := i + 1
		switch w := s.Norm(i); {
		case w == "сколько":
		case w == "as" && (s.Norm(k) == "many" || s.Norm(k) == "much"):
			k++
			if s.Norm(k) == "as" {
				k++
			}
		default:
			continue
		}
		for w := s.Norm(k); w == "мы" || w == "было" || w == "их" || w == "we" || w == "was" || w == "were" ||
			w == "у"; w = s.Norm(k) {
			k++
		}
		if Begins(s.Norm(k), SoldGoods) || Begins(s.Norm(k), []string{"ушл", "раскупил"}) {
			return i, k + 1
		}
	}
	return 0, 0
}

// SoldThings returns the tokens that say that what was sold is meant: "то, что продали", "проданное", "what we sold",
// "продажи" after "восполни"; no end for none.
func (s *Sentence) SoldThings() (from, end int) {
	for i := range s.Words {
		w, k := s.Norm(i), i+1
		switch {
		case Begins(w, []string{"проданн", "раскупленн"}):
			return i, k
		case w == "продажи" && Begins(s.Word(i-1), []string{"восполн", "компенсир", "возмест", "покро"}):
			return i, k
		case w == "sold" && (s.Norm(i-1) == "everything" || s.Norm(i-1) == "all" || s.Norm(i-1) == "goods"):
			return i - 1, k
		case soldPronouns[w]:
		default:
			continue
		}
		for soldBetween[s.Norm(k)] {
			k++
		}
		if !soldPast[s.Norm(k)] {
			continue
		}
		for k++; s.Norm(k) == "у" || s.Norm(k) == "нас"; k++ {
		}
		for i > 0 && soldBefore[s.Norm(i-1)] {
			i--
		}
		return i, k
	}
	return 0, 0
}

var (
	soldPronouns = words.Set("что которые которая которую который какие what that which")
	soldBetween  = words.Set("мы у нас было были уже we was were has have been")
	soldBefore   = words.Set(", то все всё товары товар позиции everything goods all items")
	soldPast     = words.Set("продали продано продалось продались продалась продался распродали раскупили разобрали " +
		"ушло ушли ушла sold")
)

// Lacking reports whether the task says that what is short is meant, and how short.
func (s *Sentence) Lacking() bool {
	for i := range s.Words {
		for _, p := range Shortages {
			if s.PhraseAt(i, p.Words) > 0 {
				return true
			}
		}
	}
	return false
}

// SurplusOf reports whether the warehouse at a token is one whose surplus is spoken of: "излишки основного склада".
func (s *Sentence) SurplusOf(i int) bool {
	if _, kind := Kinds[s.Word(i-1)]; kind {
		i--
	}
	return Begins(s.Word(i-1), []string{"излиш", "лишн", "surplus", "excess"}) ||
		Begins(s.Word(i-1), StockWords) && EverythingWords[s.Word(i-2)]
}

// CostPhrases say that goods are sold at what they cost.
var CostPhrases = LongestFirst(PhrasesOf("phrase", "at_cost"))

// SoldAtCost reports whether prices are to be as the purchase price.
func (s *Sentence) SoldAtCost() bool {
	for i := range s.Words {
		if s.AnyPhrase(i, CostPhrases) > 0 {
			return true
		}
	}
	return false
}

// Becomes are words for what a figure is to be: "подними цены так, чтобы маржа стала 20".
var Becomes = words.Set("будет будут стала стало было была вышла получилась вышло получилось составила составляла " +
	"become becomes")

// FigureNouns are figures of questions, by their beginnings.
var FigureNouns = PhrasesOf("noun", "figure")

// Everywhere are phrases for all warehouses, StockWords the beginnings of words for stock.
var (
	Everywhere = LongestFirst(PhrasesOf("phrase", "everywhere"))
	StockWords = []string{"запас", "остат", "stock", "inventory"}
)

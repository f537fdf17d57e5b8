package byword_test

import (
	"strings"
	"testing"
)

// An opinion or a word that puts off decides nothing: it is asked about, and yes answers that question (rule R730).
func TestAnOpinionAboutADraftIsAskedAbout(t *testing.T) {
	s := start(t)
	k := &talk{t: t, s: s, token: s.AdminToken}
	k.say("raise all prices by 7%")
	for _, words := range []string{"all good?", "looks good?"} { // a question
		k.say(words)
		k.wantStates(k.draft, "pending")
	}
	if said := k.say("looks good"); !strings.Contains(said, "Confirm the draft") {
		t.Errorf("an opinion: %s", said)
	}
	k.wantStates(k.draft, "pending")
	k.say("yes")
	k.wantStates(k.draft, "applied")

	k.say("подними все цены на 8%")
	if said := k.say("пока не надо"); !strings.Contains(said, "не отправлен") {
		t.Errorf("put off: %s", said)
	}
	k.wantStates(k.draft, "pending")
	k.say("да")
	k.wantStates(k.draft, "rejected")

	k.say("подними все цены на 9%")
	k.say("сколько денег на счетах")
	if said := k.say("ок проводи"); !strings.Contains(said, "Подтвердить") {
		t.Errorf("later: %s", said)
	}
	k.say("да")
	k.wantStates(k.draft, "applied")
}

// People confirm and cancel in words of their own (rule R730).
func TestDecisionsAreCarriedOutInTheWordsOfPeople(t *testing.T) {
	s := start(t)
	k := &talk{t: t, s: s, token: s.AdminToken}
	for _, x := range [][2]string{{"да всё верно, подтверждаю", "applied"}, {"ага давай", "applied"},
		{"не, передумал, отменяй", "rejected"}, {"ой нет, я ошибся, отмени", "rejected"}} {
		k.say("подними все цены на 3%")
		k.say(x[0])
		k.wantStates(k.draft, x[1])
	}
	for _, x := range [][2]string{{"looks good, confirm", "applied"}, {"actually bin it", "rejected"}} {
		k.say("raise all prices by 4%")
		k.say(x[0])
		k.wantStates(k.draft, x[1])
	}
}

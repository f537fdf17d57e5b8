// Package namestest makes names of a large account and measures processor time, for tests of speed.
package namestest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
)

// Large returns n names: those given, and made-up ones of a large shop, the same each time. Nine of ten are goods with
// an article, a code and a barcode, the others are counterparties.
func Large(n int, given []connector.Name) []connector.Name {
	r := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("ка ло ми то ру ша пе гор дан вел кри стю бор лат нос чик ман рель дом сот фи жел")
	word := func() string {
		var b strings.Builder
		for range 2 + r.IntN(3) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		return b.String()
	}
	nouns := strings.Fields("Кружка Чашка Чай Кофе Носки Кепка Молоток Отвёртка Перчатки Лампа Плед Сыр Фартук Швабра")
	adjectives := strings.Fields("белая синяя красная большая малый зелёный усиленная эконом домашняя горный с " +
		"рисунком")
	for range 300 {
		nouns = append(nouns, "К"+word())
	}
	brands := make([]string, 20_000)
	for i := range brands {
		brands[i] = word() + word()
	}
	list := slices.Clone(given)
	for i := len(list); i < n; i++ {
		name := fmt.Sprintf("%s %s %s %d %s", nouns[r.IntN(len(nouns))], adjectives[r.IntN(len(adjectives))],
			brands[r.IntN(len(brands))], 1+r.IntN(900), []string{"г", "мл", "шт", "мм"}[r.IntN(4)])
		kind, also := connector.NameProduct, []string{fmt.Sprintf("A-%d", i), fmt.Sprintf("%06d", i),
			fmt.Sprintf("46%011d", i)}
		if i%10 == 0 {
			kind, also = connector.NameCounterparty, []string{fmt.Sprintf("%05d", i)}
			name = "ООО «" + brands[r.IntN(len(brands))] + " " + word() + "»"
		}
		list = append(list, connector.Name{Kind: kind, ID: fmt.Sprintf("%08x-0000-0000-0000-%012x", i, i), Name: name,
			Also: also})
	}
	return list
}

var started = time.Now()

// Processor returns the processor time that this thread has used, or where the system does not tell it, the time since
// the start. Callers lock the goroutine to its thread.
func Processor() time.Duration {
	b, err := os.ReadFile("/proc/thread-self/schedstat")
	if err != nil {
		return time.Since(started)
	}
	first, _, _ := strings.Cut(string(b), " ")
	ns, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return time.Since(started)
	}
	return time.Duration(ns)
}

package names

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
)

// catalogue makes up n names of a large shop: mostly goods with an article, a code and a barcode.
func catalogue(n int) []connector.Name {
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
	list := slices.Clone(shop)
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

// tasks are what people ask of a large shop.
var tasks = []string{"сколько осталось кружек белых", "остатки на витрине", "закажи 20 чай зелёный горный 200 г на " +
	"Основной склад",
	"продажи кофе за октябрь по складам", "прибыль по товарам за прошлый месяц", "остатки отвёртки усиленой серии",
	"долг Кузнецова",
	"что заканчивается на складах и что заказать на 2 недели вперёд", "ostatki kofe molotyj", "how many mugs are " +
		"left at the main warehouse",
	"артикул A-7777", "4600000077777", "носки синие большие домашние эконом", "клевелдан горстю 200 мл остатки",
	"подними цены на 5% на всё кроме посуды и кружек", "неизвестноеслово ещёоднослово третьестранноеслово остатки"}

var started = time.Now()

// used returns the processor time of this thread, or where the system does not tell it, the time.
func used() time.Duration {
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

// The command
//
//	go test ./internal/language/names -run Speed -v
//
// prints the time of a search among 100,000 names and the memory of their index.
func TestSpeedAmongAHundredThousandNames(t *testing.T) { // rule R305
	n := 100_000
	if testing.Short() {
		n = 20_000
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	list := catalogue(n)
	began := used()
	x := New(list)
	built := used() - began
	var times []time.Duration
	const runs = 40 // of each task, because the clock is coarse
	for _, task := range tasks {
		began := used()
		for range runs {
			ts := token.Split(task)
			Find(Task{Tokens: ts, Ordinary: func(i int) bool { return everyday[ts[i].Norm] }}, x)
		}
		times = append(times, (used()-began)/runs)
		t.Logf("%8v %s", times[len(times)-1].Round(10*time.Microsecond), task)
	}
	slices.Sort(times)
	t.Logf("%d names: built in %v, %.1f MB, %d bytes a name, %d words", x.Len(), built.Round(time.Millisecond),
		float64(x.Bytes())/1e6, x.Bytes()/x.Len(), x.forms.len())
	slowest := times[len(times)-1]
	t.Logf("processor time of a task: p50 %v, slowest %v", times[len(times)/2], slowest)
}

func BenchmarkFind(b *testing.B) {
	x := New(catalogue(100_000))
	b.ReportMetric(float64(x.Bytes())/float64(x.Len()), "bytes/name")
	i := 0
	for b.Loop() {
		ts := token.Split(tasks[i%len(tasks)])
		Find(Task{Tokens: ts, Ordinary: func(i int) bool { return everyday[ts[i].Norm] }}, x)
		i++
	}
}

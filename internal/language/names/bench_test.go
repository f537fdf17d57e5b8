package names

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/language/names/namestest"
	"github.com/stockhand/stockhand/internal/language/token"
)

// tasks are what people ask of a large shop.
var tasks = []string{"сколько осталось кружек белых", "остатки на витрине", "закажи 20 чай зелёный горный 200 г на " +
	"Основной склад",
	"продажи кофе за октябрь по складам", "прибыль по товарам за прошлый месяц", "остатки отвёртки усиленой серии",
	"долг Кузнецова",
	"что заканчивается на складах и что заказать на 2 недели вперёд", "ostatki kofe molotyj", "how many mugs are " +
		"left at the main warehouse",
	"артикул A-7777", "4600000077777", "носки синие большие домашние эконом", "клевелдан горстю 200 мл остатки",
	"подними цены на 5% на всё кроме посуды и кружек", "неизвестноеслово ещёоднослово третьестранноеслово остатки"}

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
	list := namestest.Large(n, shop)
	began := namestest.Processor()
	x := New(list)
	built := namestest.Processor() - began
	var times []time.Duration
	const runs = 40 // of each task, because the clock is coarse
	for _, task := range tasks {
		began := namestest.Processor()
		for range runs {
			ts := token.Split(task)
			Find(Task{Tokens: ts, Ordinary: func(i int) bool { return everyday[ts[i].Norm] }}, x)
		}
		times = append(times, (namestest.Processor()-began)/runs)
		t.Logf("%8v %s", times[len(times)-1].Round(10*time.Microsecond), task)
	}
	slices.Sort(times)
	t.Logf("%d names: built in %v, %.1f MB, %d bytes a name, %d words", x.Len(), built.Round(time.Millisecond),
		float64(x.Bytes())/1e6, x.Bytes()/x.Len(), x.forms.len())
	slowest := times[len(times)-1]
	t.Logf("processor time of a task: p50 %v, slowest %v", times[len(times)/2], slowest)
}

func BenchmarkFind(b *testing.B) {
	x := New(namestest.Large(100_000, shop))
	b.ReportMetric(float64(x.Bytes())/float64(x.Len()), "bytes/name")
	i := 0
	for b.Loop() {
		ts := token.Split(tasks[i%len(tasks)])
		Find(Task{Tokens: ts, Ordinary: func(i int) bool { return everyday[ts[i].Norm] }}, x)
		i++
	}
}

package act

import (
	"strings"

	"github.com/stockhand/stockhand/internal/words"
)

// Words around the one that says how the last answer is to be shown: "а теперь дай это в экселе", "покажи на графике".
var (
	aroundShown = words.Set("по этому этого из хотелось список строй а и ну да еще теперь тогда то же самое это " +
		"все всё его ее их мне нам пожалуйста плиз пж в виде на по одним дай дайте покажи покажите сделай " +
		"сделайте построй постройте нарисуй нарисуйте выведи пришли пришлите скинь скиньте выгрузи выгрузите " +
		"сохрани скачать можно хочу нужно надо отдельным отдельной файлом файл таблицей таблицу формате формат " +
		"формата отправь отправьте экспорт экспортни экспортируй выгрузить выгрузку выгрузочку мне бы давай " +
		"слушай отчет отчета визуально наглядно изобрази отобрази , pls plz and also now the same it this that " +
		"as a an in to me please show make give send draw can you could i get")
	files = words.Set("файл файлом файлик файликом скачать скачай выгрузи выгрузить выгрузка выгрузку " +
		"выгрузочку экспорт экспортируй экспортни file download export")
	sheets = words.Set("эксель экселевский экселевском экселя экселю экселька экселе экселем эксельку экселькой " +
		"екселе ексель эксел ексел excel xlsx xls spreadsheet")
	drawings = words.Set("нарисуй изобрази графически линией столбцами визуально визуализируй наглядно " +
		"столбиками пирогом гистограммой")
	plots = words.Set("график графике графиком графика диаграмма диаграммой диаграмму диаграмме chart graph " +
		"plot")
)

// shown reads a message that only says how the last answer is to be shown, in any order of its words.
func (m *message) shown() Act {
	a, file, draws := Act{}, false, false
	for i := range m.ts {
		w := strings.TrimRight(m.norm(i), ".")
		file, draws = file || files[w], draws || drawings[w]
		switch {
		case sheets[w] && a.Kind == None:
			a.Kind, a.Format = Export, "xlsx"
		case (w == "csv" || w == "цсв") && a.Kind == None:
			a.Kind, a.Format = Export, "csv"
		case plots[w] && a.Kind == None:
			a.Kind = Chart
		case !aroundShown[w] && !files[w] && !drawings[w]:
			return Act{}
		}
	}
	switch {
	case a.Kind != None:
	case draws:
		a.Kind = Chart
	case file:
		a.Kind, a.Format = Export, "xlsx"
	}
	return a
}

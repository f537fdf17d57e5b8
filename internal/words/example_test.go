package words_test

import (
	"fmt"

	"github.com/stockhand/stockhand/internal/words"
)

func ExampleScan() {
	text := "Чай 10шт, 1,5 тыс. ₽"
	for t := range words.Scan(text) {
		fmt.Printf("%q ", text[t.Start:t.End])
	}
	// Output: "Чай" "10" "шт" "," "1,5" "тыс" "." "₽"
}

func ExampleUnitOf() {
	thousand, _ := words.UnitOf("тысяч")
	rouble, _ := words.UnitOf("рублей")
	fmt.Println(thousand.Factor, rouble.Currency)
	// Output: 1000 RUB
}

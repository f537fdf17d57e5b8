package decimal_test

import (
	"fmt"

	"github.com/stockhand/stockhand/internal/decimal"
)

func Example() {
	price := decimal.MustParse("19.99")
	sum := price.Mul(decimal.FromInt(3)).Round(1)
	fmt.Println(sum, sum.Fixed(2))
	// Output: 60 60.00
}

func ExampleDecimal_Valid() {
	average := decimal.Hundred.Div(decimal.Zero).Add(decimal.One)
	fmt.Println(average.Valid(), average, average.Err())
	// Output: false invalid number out of range
}

func ExampleMaybe() {
	var stock decimal.Maybe // the employee may not see it
	fmt.Println(stock.Known, decimal.Some(decimal.Zero).Known)
	// Output: false true
}

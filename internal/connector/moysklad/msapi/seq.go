package msapi

import (
	"errors"
	"iter"
)

// Collect reads a list to its end and returns the rows and the final error. It keeps the rows before an [*Incomplete].
func Collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	var list []T
	for row, err := range seq {
		if err != nil {
			return list, err
		}
		list = append(list, row)
	}
	return list, nil
}

// failed returns a list that only yields an error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, err)
	}
}

// convert converts each row of a list.
func convert[W, T any](seq iter.Seq2[W, error], f func(*W) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for wire, err := range seq {
			var row T
			if err == nil {
				row, err = f(&wire)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// concat concatenates lists. It continues after an incomplete list and yields that error last.
func concat[T any](seqs ...iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var missing *Incomplete
		for _, seq := range seqs {
			for row, err := range seq {
				if short, ok := errors.AsType[*Incomplete](err); ok {
					if missing == nil {
						missing = short
					} else {
						missing = &Incomplete{Path: short.Path, Got: missing.Got + short.Got, Size: missing.Size +
							short.Size}
					}
					break
				}
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
		if missing != nil {
			var zero T
			yield(zero, missing)
		}
	}
}

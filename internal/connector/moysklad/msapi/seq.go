package msapi

import (
	"errors"
	"iter"
)

// Collect reads a list to its end: the rows, and the error that ended it. Rows before an [*Incomplete] are kept.
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

// failed is a list that is nothing but an error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, err)
	}
}

// convert gives each row of a list another form.
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

// concat reads lists one after another. An incomplete one does not hide those after it: its error comes last.
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

package work_test

import (
	"context"
	"testing"

	"github.com/stockhand/stockhand/internal/work"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// From publishing a run until a worker is done with it.
func BenchmarkOffers(b *testing.B) {
	for name, url := range map[string]func() string{"embedded": func() string { return "" },
		"server": func() string { return worktest.New(b).URL() }} {
		b.Run(name, func(b *testing.B) {
			e, err := work.Open(b.Context(), work.Config{URL: url(), Ring: worktest.Ring()})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			ctx, stop := context.WithCancel(b.Context())
			over, done := make(chan struct{}), make(chan struct{}, 16)
			go func() {
				defer close(over)
				e.Work(ctx, 16, func(context.Context, *work.Delivery) error {
					done <- struct{}{}
					return nil
				})
			}()
			b.ResetTimer()
			go func() {
				for range b.N {
					e.Publish(ctx, someRun())
				}
			}()
			for range b.N {
				<-done
			}
			b.StopTimer()
			stop()
			<-over
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		e, err := work.Open(b.Context(), work.Config{})
		if err != nil {
			b.Fatal(err)
		}
		e.Close()
	}
}

package results

import (
	"sync"

	"github.com/stockhand/stockhand"
)

// orderKey names an order of the rows of a result.
type orderKey struct {
	result stockhand.ResultID
	part   int
	sort   string
	down   bool
	find   string
	where  string
}

// mostPositions bounds the kept orders together: about 16 MB.
const mostPositions = 2_000_000

// orders keeps the orders that were computed last. It grants nothing: who may see a result is checked before.
var orders = orderCache{all: map[orderKey][]int{}}

type orderCache struct {
	mu   sync.Mutex
	all  map[orderKey][]int
	used []orderKey // the one used last is at the end
	size int
}

func (c *orderCache) get(k orderKey) ([]int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.all[k]
	if ok {
		c.touch(k)
	}
	return at, ok
}

func (c *orderCache) put(k orderKey, at []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.all[k]; ok || len(at) > mostPositions {
		return
	}
	c.all[k] = at
	c.size += len(at) + 1
	c.touch(k)
	for c.size > mostPositions {
		c.size -= len(c.all[c.used[0]]) + 1
		delete(c.all, c.used[0])
		c.used = c.used[1:]
	}
}

func (c *orderCache) touch(k orderKey) {
	for i, x := range c.used {
		if x == k {
			c.used = append(c.used[:i], c.used[i+1:]...)
			break
		}
	}
	c.used = append(c.used, k)
}

package work

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/stockhand/stockhand"
)

// share says whom a run is for: an actor, in one of an organization's connections. The connection is empty if the
// run's session had none when the run was stored.
type share struct {
	Org        stockhand.OrgID        `json:"org"`
	Connection stockhand.ConnectionID `json:"connection"`
	Actor      string                 `json:"actor"`
}

func shareOf(r stockhand.Run) share { return share{r.Org, r.Connection, r.By} }

// MaxStarted is how many started and unfinished runs a process may have: in total, of an organization, of a connection
// and of an actor (decision 26). Started runs use memory even if they wait and have no worker. The last quarter of the
// total is reserved for organizations without a started run. The zero value means the default.
type MaxStarted [4]int

// defaultMaxStarted is the default.
var defaultMaxStarted = MaxStarted{256, 32, 24, 16}

// level is the index in MaxStarted of what a node stands for.
const (
	total = iota
	organization
	_ // connection
	actor
)

// node counts the runs of everybody, an organization, a connection or an actor.
type node struct {
	level   int
	nodes   map[string]*node
	queue   []*Delivery // of an actor: the runs that wait to start
	waiting int         // runs that wait to start
	started int         // started and unfinished runs
	workers int         // workers that these have
	served  uint64      // when a run was last started, as a count
}

// pool shares the workers of this process among the runs that wait for one.
type pool struct {
	changed chan struct{} // receives a value when a run may be able to start

	mu       sync.Mutex
	most     MaxStarted
	free     int // workers
	all      node
	starts   uint64
	resuming []*Delivery // started runs that wait for a worker
}

func newPool() *pool { return &pool{changed: make(chan struct{}, 1), most: defaultMaxStarted} }

// hire adds n workers, which may be negative.
func (p *pool) hire(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free += n
	p.wake()
}

func (p *pool) wake() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// path returns the nodes of a share from the total to the actor, and creates those that do not exist. The caller holds
// the lock.
func (p *pool) path(s share) [len(MaxStarted{})]*node {
	path := [len(MaxStarted{})]*node{&p.all}
	for i, name := range []string{string(s.Org), string(s.Connection), s.Actor} {
		parent := path[i]
		if parent.nodes == nil {
			parent.nodes = map[string]*node{}
		}
		if parent.nodes[name] == nil {
			parent.nodes[name] = &node{level: i + 1}
		}
		path[i+1] = parent.nodes[name]
	}
	return path
}

// prune removes the nodes of a share that have no runs.
func (p *pool) prune(s share) {
	path := p.path(s)
	for i, name := range []string{s.Actor, string(s.Connection), string(s.Org)} {
		if n := path[actor-i]; n.waiting == 0 && n.started == 0 {
			delete(path[actor-i-1].nodes, name)
		}
	}
}

// add lets a run wait, unless limit runs of its share already do; 0 means no limit.
func (p *pool) add(d *Delivery, limit int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	path := p.path(d.share)
	if limit > 0 && path[actor].waiting >= limit {
		return false
	}
	path[actor].queue = append(path[actor].queue, d)
	for _, n := range path {
		n.waiting++
	}
	p.wake()
	return true
}

// next starts the run whose turn it is: of the organization with the fewest started runs, within it of the connection
// and then of the actor with the fewest; among equals, of the one that was served the longest ago. It returns nil if
// there is no run, no free worker, or no run that may start.
func (p *pool) next() *Delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free == 0 || p.all.started >= p.most[total] {
		return nil
	}
	n := p.all.turn(p.most, p.all.started >= p.most[total]*3/4)
	if n == nil {
		return nil
	}
	d := n.queue[0]
	n.queue = n.queue[1:]
	p.starts++
	for _, n := range p.path(d.share) {
		n.waiting--
		n.started++
		n.served = p.starts
	}
	d.pool = p
	p.assign(d)
	return d
}

// turn returns the actor's node whose turn it is, or nil. With reserved, only organizations without a started run
// count.
func (n *node) turn(most MaxStarted, reserved bool) *node {
	if n.level == actor {
		return n
	}
	candidates := make([]*node, 0, len(n.nodes))
	for _, m := range n.nodes {
		if m.waiting > 0 && m.started < most[m.level] &&
			(!reserved || m.level != organization || m.started == 0) {
			candidates = append(candidates, m)
		}
	}
	for len(candidates) > 0 {
		first := slices.MinFunc(candidates, func(a, b *node) int {
			return cmp.Or(cmp.Compare(a.started, b.started), cmp.Compare(a.served, b.served))
		})
		if next := first.turn(most, reserved); next != nil {
			return next
		}
		candidates = slices.DeleteFunc(candidates, func(m *node) bool { return m == first })
	}
	return nil
}

// assign gives a run a free worker.
func (p *pool) assign(d *Delivery) {
	d.worker = true
	p.free--
	for _, n := range p.path(d.share) {
		n.workers++
	}
}

// release frees a run's worker, if it has one.
func (p *pool) release(d *Delivery) {
	if !d.worker {
		return
	}
	d.worker = false
	p.free++
	for _, n := range p.path(d.share) {
		n.workers--
	}
	p.resume()
	p.wake()
}

// end removes a finished run.
func (p *pool) end(d *Delivery) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.release(d)
	for _, n := range p.path(d.share) {
		n.started--
	}
	p.prune(d.share)
	p.wake()
}

// resume gives free workers to started runs, before any new run starts.
func (p *pool) resume() {
	for p.free > 0 && len(p.resuming) > 0 {
		d := slices.MinFunc(p.resuming, func(a, b *Delivery) int {
			return cmp.Compare(p.path(a.share)[organization].workers, p.path(b.share)[organization].workers)
		})
		p.stopResuming(d)
		if d.waits == 0 { // otherwise it is waiting for an external system again
			p.assign(d)
		}
	}
}

func (p *pool) stopResuming(d *Delivery) {
	p.resuming = slices.DeleteFunc(p.resuming, func(r *Delivery) bool { return r == d })
	close(d.resumed)
	d.resumed = nil
}

// Wait frees the worker while the run waits for an external system. Call resume when it continues: it blocks until
// there is a worker, or until ctx is done. Waits may overlap; the run has no worker during any of them. The caller must
// hold no lock that a run with a worker could need.
func (d *Delivery) Wait(ctx context.Context) (resume func()) {
	p := d.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	d.waits++
	p.release(d)
	return func() { p.resumeRun(ctx, d) }
}

func (p *pool) resumeRun(ctx context.Context, d *Delivery) {
	p.mu.Lock()
	d.waits--
	if d.waits > 0 || d.worker {
		p.mu.Unlock()
		return
	}
	if d.resumed == nil {
		d.resumed = make(chan struct{})
		p.resuming = append(p.resuming, d)
	}
	resumed := d.resumed
	p.resume()
	p.mu.Unlock()
	select {
	case <-resumed:
	case <-ctx.Done(): // the run ends soon, without a worker
		p.mu.Lock()
		defer p.mu.Unlock()
		if d.resumed == resumed {
			p.stopResuming(d)
		}
	}
}

// remove removes matching runs from those that wait to start.
func (p *pool) remove(match func(d *Delivery) bool) (removed []*Delivery) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.all.waitingRuns() {
		if !match(d) {
			continue
		}
		removed = append(removed, d)
		path := p.path(d.share)
		path[actor].queue = slices.DeleteFunc(path[actor].queue, func(r *Delivery) bool { return r == d })
		for _, n := range path {
			n.waiting--
		}
		p.prune(d.share)
	}
	return removed
}

// waiting returns the runs that wait to start.
func (p *pool) waiting() []*Delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.waitingRuns()
}

func (n *node) waitingRuns() []*Delivery {
	all := slices.Clone(n.queue)
	for _, m := range n.nodes {
		all = append(all, m.waitingRuns()...)
	}
	return all
}

// Load returns how many runs wait in this process to start, how many have started and not finished, and how many of
// these have a worker.
func (e *Engine) Load() (waiting, started, working int) {
	e.pool.mu.Lock()
	defer e.pool.mu.Unlock()
	return e.pool.all.waiting, e.pool.all.started, e.pool.all.workers
}

package compute

import "math/big"

// total adds numbers exactly: small ones by their number of decimal places in machine integers, others in big ones.
type total struct {
	small [divisionPlaces]int64
	big   number
	any   bool // big is set
}

func (t *total) add(coef int64, scale int) {
	if scale < len(t.small) {
		s := t.small[scale] + coef
		if (s > t.small[scale]) == (coef > 0) {
			t.small[scale] = s
			return
		}
	}
	t.addBig(number{big.NewInt(coef), scale})
}

func (t *total) addBig(n number) {
	if !t.any {
		t.big, t.any = integer(0), true
	}
	t.big = t.big.add(n)
}

func (t *total) number() number {
	n := integer(0)
	if t.any {
		n = t.big
	}
	for scale, coef := range t.small {
		if coef != 0 {
			n = n.add(number{big.NewInt(coef), scale})
		}
	}
	return n
}

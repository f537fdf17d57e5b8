package static

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw the icons")

// The icons of the installable app are drawn as icon.svg is.
func TestIconsAreDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		size  int
		whole bool // the picture fills a square of which any shape may be cut out
	}{"icon-180.png": {180, true}, "icon-192.png": {192, false}, "icon-512.png": {512, false},
		"icon-maskable.png": {512, true}} {
		var b bytes.Buffer
		if err := png.Encode(&b, drawn(c.size, c.whole)); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile("assets/"+name, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		kept, err := files.ReadFile("assets/" + name)
		if err != nil || !bytes.Equal(kept, b.Bytes()) {
			t.Errorf("%s is not what is drawn: go test ./internal/console/static -update (%v)", name, err)
		}
	}
}

// The app's files name files that exist, and the worker keeps a page and its style only (rule R399).
func TestTheAppKeepsNoData(t *testing.T) {
	for _, text := range []string{manifest, worker, offline} {
		for name, address := range byName {
			text = strings.ReplaceAll(text, "{"+name+"}", address)
		}
		if i := strings.Index(text, "{icon"); i >= 0 || strings.Contains(text, "{console") {
			t.Errorf("a file does not exist: %s", text)
		}
	}
	if !strings.Contains(worker, `const kept = ["/offline", "{console.css}"];`) || strings.Contains(worker, ".put(") {
		t.Error("the worker keeps more")
	}
}

type line struct{ x1, y1, x2, y2 float64 }

// box is the drawing of icon.svg, on a grid of 32.
var box = []line{{8, 12.5, 16, 8}, {16, 8, 24, 12.5}, {24, 12.5, 24, 20.5}, {24, 20.5, 16, 25}, {16, 25, 8, 20.5},
	{8, 20.5, 8, 12.5}, {8, 12.5, 16, 17}, {16, 17, 24, 12.5}, {16, 17, 16, 25}}

func drawn(size int, whole bool) image.Image {
	const samples = 4
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	scale, shift := 32/float64(size), 0.0
	if whole { // what matters is within the inner four fifths
		scale, shift = scale*1.25, -4
	}
	for y := range size {
		for x := range size {
			var r, g, b, a float64
			for i := range samples * samples {
				px := shift + (float64(x)+(float64(i%samples)+.5)/samples)*scale
				py := shift + (float64(y)+(float64(i/samples)+.5)/samples)*scale
				if !whole && !rounded(px, py) {
					continue
				}
				a++
				if stroked(px, py) {
					r, g, b = r+255, g+255, b+255
				} else {
					r, g, b = r+0x3b, g+0x4c, b+0xca
				}
			}
			if a > 0 {
				img.SetNRGBA(x, y, color.NRGBA{R: uint8(r / a), G: uint8(g / a), B: uint8(b / a),
					A: uint8(a * 255 / samples / samples)})
			}
		}
	}
	return img
}

func rounded(x, y float64) bool {
	const radius = 8
	dx := max(radius-x, x-(32-radius), 0)
	dy := max(radius-y, y-(32-radius), 0)
	return dx*dx+dy*dy <= radius*radius
}

func stroked(x, y float64) bool {
	for _, l := range box {
		dx, dy := l.x2-l.x1, l.y2-l.y1
		at := min(max(((x-l.x1)*dx+(y-l.y1)*dy)/(dx*dx+dy*dy), 0), 1)
		if math.Hypot(x-l.x1-at*dx, y-l.y1-at*dy) <= 1 {
			return true
		}
	}
	return false
}

package export

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// The limits of the format.
const (
	sheetRows  = 1 << 20
	nameLength = 31    // UTF-16 code units of a sheet's name
	cellLength = 32767 // of a text
)

// workbook writes the parts of an XLSX file to a zip archive, one after another: nothing that was written is kept. The
// names of all sheets are in the first parts, so they are known from the start; the styles that cells used are in the
// last.
type workbook struct {
	zip    *zip.Writer
	part   *bufio.Writer // of the part being written
	sheets int           // begun so far
	rows   int           // of the present sheet
	styles []style       // by their number, from 1
}

// style is the look of a cell.
type style struct {
	format string // of a number; empty for the standard
	bold   bool
	faint  bool // gray italics
}

const (
	declaration   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	spreadsheetNS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	packageNS     = "http://schemas.openxmlformats.org/package/2006/"
	officeNS      = "http://schemas.openxmlformats.org/officeDocument/2006/"
	mediaType     = "application/vnd.openxmlformats-"
	sheetMedia    = mediaType + "officedocument.spreadsheetml."
)

// newWorkbook begins a workbook with these sheets.
func newWorkbook(w io.Writer, l stockhand.Language, title string, sheets []string) (*workbook, error) {
	b := &workbook{zip: zip.NewWriter(w)}
	// Each part ends before the next begins, so one compressor serves all. Twice as fast is worth a larger file.
	fast, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	b.zip.RegisterCompressor(zip.Deflate, func(part io.Writer) (io.WriteCloser, error) {
		fast.Reset(part)
		return fast, nil
	})
	var types, list, links strings.Builder
	for i, name := range sheets {
		n := strconv.Itoa(i + 1)
		types.WriteString(`<Override PartName="/xl/worksheets/sheet` + n + `.xml" ContentType="` + sheetMedia +
			`worksheet+xml"/>`)
		list.WriteString(`<sheet name="` + escape(name) + `" sheetId="` + n + `" r:id="rId` + n + `"/>`)
		links.WriteString(link(n, officeNS+"relationships/worksheet", "worksheets/sheet"+n+".xml"))
	}
	now := time.Now().UTC().Format(time.RFC3339)
	for _, p := range []struct{ name, text string }{
		{"[Content_Types].xml", `<Types xmlns="` + packageNS + `content-types">` +
			`<Default Extension="rels" ContentType="` + mediaType + `package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + sheetMedia + `sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + sheetMedia + `styles+xml"/>` +
			`<Override PartName="/docProps/core.xml" ContentType="` + mediaType + `package.core-properties+xml"/>` +
			`<Override PartName="/docProps/app.xml" ContentType="` + mediaType +
			`officedocument.extended-properties+xml"/>` + types.String() + `</Types>`},
		{"_rels/.rels", relationships(link("1", officeNS+"relationships/officeDocument", "xl/workbook.xml"),
			link("2", packageNS+"relationships/metadata/core-properties", "docProps/core.xml"),
			link("3", officeNS+"relationships/extended-properties", "docProps/app.xml"))},
		{"docProps/core.xml", `<cp:coreProperties xmlns:cp="` + packageNS + `metadata/core-properties" ` +
			`xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ` +
			`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>` + escape(title) + `</dc:title>` +
			`<dc:creator>Stockhand</dc:creator><cp:lastModifiedBy>Stockhand</cp:lastModifiedBy>` +
			`<dcterms:created xsi:type="dcterms:W3CDTF">` + now + `</dcterms:created>` +
			`<dcterms:modified xsi:type="dcterms:W3CDTF">` + now + `</dcterms:modified>` +
			`<dc:language>` + l.Pick("ru-RU", "en-US") + `</dc:language></cp:coreProperties>`},
		{"docProps/app.xml", `<Properties xmlns="` + officeNS +
			`extended-properties"><Application>Stockhand</Application></Properties>`},
		{"xl/workbook.xml", `<workbook xmlns="` + spreadsheetNS + `" xmlns:r="` + officeNS + `relationships"><sheets>` +
			list.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", relationships(links.String(),
			link("0", officeNS+"relationships/styles", "styles.xml"))},
	} {
		if err := b.begin(p.name); err != nil {
			return nil, err
		}
		b.write(p.text)
	}
	return b, nil
}

func link(id, kind, target string) string {
	return `<Relationship Id="rId` + id + `" Type="` + kind + `" Target="` + target + `"/>`
}

func relationships(links ...string) string {
	return `<Relationships xmlns="` + packageNS + `relationships">` + strings.Join(links, "") + `</Relationships>`
}

// begin ends the part being written and begins another.
func (b *workbook) begin(name string) error {
	if b.part != nil {
		if err := b.part.Flush(); err != nil {
			return err
		}
	}
	w, err := b.zip.Create(name)
	if err != nil {
		return err
	}
	b.part = bufio.NewWriter(w)
	b.write(declaration)
	return nil
}

// write writes to the present part. An error is returned when the part ends.
func (b *workbook) write(parts ...string) {
	for _, s := range parts {
		_, _ = b.part.WriteString(s)
	}
}

// sheet begins the next sheet, with columns of these widths in characters. The first row of a table stays in view.
func (b *workbook) sheet(widths []int, table bool) error {
	b.sheets, b.rows = b.sheets+1, 0
	if err := b.begin(fmt.Sprintf("xl/worksheets/sheet%d.xml", b.sheets)); err != nil {
		return err
	}
	b.write(`<worksheet xmlns="` + spreadsheetNS + `">`)
	if table {
		b.write(`<sheetViews><sheetView workbookViewId="0">` +
			`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`)
	}
	if len(widths) > 0 {
		b.write("<cols>")
		for i, width := range widths {
			b.write(fmt.Sprintf(`<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, width))
		}
		b.write("</cols>")
	}
	b.write("<sheetData>")
	return nil
}

// endSheet ends the sheet.
func (b *workbook) endSheet() { b.write("</sheetData></worksheet>") }

// cell is a cell with a number or a text; without either it is empty.
type cell struct {
	number string
	text   string
	style  style
}

// row writes the next row of the sheet. It may return the error of an earlier write.
func (b *workbook) row(cells ...cell) error {
	b.rows++
	at := strconv.Itoa(b.rows)
	b.write(`<row r="`, at, `">`)
	for i, c := range cells {
		if c.number == "" && c.text == "" {
			continue
		}
		b.write(`<c r="`, columnName(i), at, `"`)
		if c.style != (style{}) {
			b.write(` s="`, strconv.Itoa(b.number(c.style)), `"`)
		}
		if c.number != "" {
			b.write(`><v>`, c.number, `</v></c>`)
		} else {
			b.write(` t="inlineStr"><is><t xml:space="preserve">`)
			writeEscaped(b.part, clip(c.text, cellLength))
			b.write(`</t></is></c>`)
		}
	}
	_, err := b.part.WriteString("</row>")
	return err
}

// columnName returns the letters of a column, counted from 0.
func columnName(i int) string {
	name := string(rune('A' + i%26))
	if i >= 26 {
		return columnName(i/26-1) + name
	}
	return name
}

// number returns the number of a style, counted from 1: 0 is the standard.
func (b *workbook) number(s style) int {
	i := slices.Index(b.styles, s)
	if i < 0 {
		i = len(b.styles)
		b.styles = append(b.styles, s)
	}
	return i + 1
}

// close writes the styles and ends the archive.
func (b *workbook) close() error {
	if err := b.begin("xl/styles.xml"); err != nil {
		return err
	}
	const ownFormats = 164 // smaller numbers are the format's own
	var formats, fonts, looks strings.Builder
	for i, s := range b.styles {
		format := 0
		if s.format != "" {
			format = ownFormats + i
			fmt.Fprintf(&formats, `<numFmt numFmtId="%d" formatCode="%s"/>`, format, escape(s.format))
		}
		fonts.WriteString("<font>")
		if s.bold {
			fonts.WriteString("<b/>")
		}
		if s.faint {
			fonts.WriteString(`<i/><color rgb="FF808080"/>`)
		}
		fonts.WriteString(font + "</font>")
		fmt.Fprintf(&looks, `<xf numFmtId="%d" fontId="%d" applyNumberFormat="1" applyFont="1"/>`, format, i+1)
	}
	b.write(`<styleSheet xmlns="` + spreadsheetNS + `">`)
	if formats.Len() > 0 {
		b.write(`<numFmts>` + formats.String() + `</numFmts>`)
	}
	b.write(`<fonts><font>` + font + `</font>` + fonts.String() + `</fonts>` +
		`<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs>` +
		`<cellXfs><xf/>` + looks.String() + `</cellXfs></styleSheet>`)
	if err := b.part.Flush(); err != nil {
		return err
	}
	return b.zip.Close()
}

const font = `<sz val="11"/><name val="Calibri"/>`

// coded matches what the format, between two underscores, reads as the code of a character: _x000D_.
var coded = regexp.MustCompile(`^x[0-9A-Fa-f]{4}$`)

// escape returns s as text of XML.
func escape(s string) string {
	var b strings.Builder
	writeEscaped(&b, s)
	return b.String()
}

// writeEscaped writes s as text of XML, to a writer that does not fail or keeps its error.
func writeEscaped(w io.Writer, s string) {
	if strings.Contains(s, "_x") {
		parts := strings.Split(s, "_")
		for i := 1; i < len(parts)-1; i++ {
			if coded.MatchString(parts[i]) {
				parts[i] = "x005F_" + parts[i] // the code of the underscore
			}
		}
		s = strings.Join(parts, "_")
	}
	_ = xml.EscapeText(w, []byte(s))
}

package developers

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/stockhand/stockhand/internal/console/fields"
)

// indented is a value as JSON that people edit.
func indented(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(v) != nil {
		return "{}" // examples of the document always encode
	}
	return strings.TrimSpace(b.String())
}

// headers are the headers of a program's request.
func (q apiRequest) headers() [][2]string {
	all := append([][2]string{{"Authorization", "Bearer " + placeholder}}, q.Headers...)
	if q.Body != "" {
		all = append(all, [2]string{"Content-Type", "application/json"})
	}
	return all
}

// quoted is a text as a literal of a shell, which expands nothing in it.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// curl is the request as a command.
func (q apiRequest) curl(address string) string {
	out := "curl "
	if q.Method != "GET" {
		out += "-X " + q.Method + " "
	}
	out += quoted(address + q.Path)
	for _, h := range q.headers() {
		out += " \\\n  -H " + quoted(h[0]+": "+h[1])
	}
	if q.Body != "" {
		out += " \\\n  -d " + quoted(q.Body)
	}
	return out
}

// python is the request as a program, for which the standard library is enough.
func (q apiRequest) python(address string) string {
	out := "import json\nimport urllib.request\n\nrequest = urllib.request.Request(\n    " + literal(address+q.Path) +
		",\n    method=" + literal(q.Method) + ",\n    headers={\n"
	for _, h := range q.headers() {
		out += "        " + literal(h[0]) + ": " + literal(h[1]) + ",\n"
	}
	out += "    },\n"
	if q.Body != "" {
		out += "    data=json.dumps(" + pythonValue(q.Body) + ").encode(),\n"
	}
	return out + ")\nwith urllib.request.urlopen(request) as answer:\n    print(answer.read().decode())\n"
}

// node is the request as a program for Node.js.
func (q apiRequest) node(address string) string {
	out := "const answer = await fetch(" + literal(address+q.Path) + ", {\n  method: " + literal(q.Method) +
		",\n  headers: {\n"
	for _, h := range q.headers() {
		out += "    " + literal(h[0]) + ": " + literal(h[1]) + ",\n"
	}
	out += "  },\n"
	if q.Body != "" {
		out += "  body: JSON.stringify(" + strings.ReplaceAll(q.Body, "\n", "\n  ") + "),\n"
	}
	return out + "});\nconsole.log(answer.status, await answer.text());\n"
}

// literal is a text as a literal of Python and of JavaScript.
func literal(s string) string { return string(fields.Encode(s)) }

// pythonValue is indented JSON as a value of Python: its words are others, and its texts have no escapes of surrogates.
func pythonValue(body string) string {
	var b strings.Builder
	words := strings.NewReplacer("true", "True", "false", "False", "null", "None", "\n", "\n    ")
	for rest := body; rest != ""; {
		open := strings.IndexByte(rest, '"')
		if open < 0 {
			b.WriteString(words.Replace(rest))
			break
		}
		b.WriteString(words.Replace(rest[:open]))
		end := open + 1
		for ; end < len(rest) && rest[end] != '"'; end++ {
			if rest[end] == '\\' {
				end++
			}
		}
		var text string
		_ = json.Unmarshal([]byte(rest[open:end+1]), &text) // the body is valid JSON
		b.WriteString(literal(text))
		rest = rest[end+1:]
	}
	return b.String()
}

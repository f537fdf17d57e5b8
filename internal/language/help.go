package language

import "github.com/stockhand/stockhand"

// Example is a task that shows a skill.
type Example struct {
	Skill Skill
	Task  string
}

// Examples returns a task for each reading skill, in the language, in the order in which to show them.
func Examples(l stockhand.Language) []Example { return nil }

// HelpText says in the language what Stockhand can do, with example tasks.
func HelpText(l stockhand.Language) string { return "" }

package language

// Read reads a task. It never fails: a task it cannot read is a Question or Outside.
//
// A caller whose account's names cost requests reads once without Input.Names, loads the kinds of names in
// Reading.Unknown when there are any (goods by a search for the words), and reads again with them.
func Read(task string, in Input) Reading {
	return Reading{Task: task, Outside: true}
}

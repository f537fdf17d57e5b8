package agent

import (
	"regexp"

	"github.com/stockhand/stockhand/internal/language"
)

// change matches words that ask for a change, where the reader does not know the task: commands, and the verbs that
// follow "надо" or "please". What a model, a result or an earlier answer says does not count.
var change = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:(?:` +
	`закажи|подготовь|создай|сделай|оформи|заведи|перемести|перемещай|перенеси|перебрось|подними|повысь|снизь|понизь|` +
	`измени|поменяй|установи|поставь|обнови|увеличь|уменьши|добавь|удали|спиши|пополни|докупи|закупи|купи|отправь|` +
	`заполни|назначь|закрой|отмени|предложи|уцени|переоцени|убери|исключи|раздели|подели|объедини|соедини|` +
	`замени|сократи|урежь|уложи|запомни|запиши)(?:те)?|` +
	`заказать|подготовить|создать|сделать|оформить|завести|переместить|перенести|поднять|повысить|снизить|понизить|` +
	`изменить|поменять|установить|поставить|обновить|увеличить|уменьшить|добавить|удалить|списать|пополнить|` +
	`докупить|закупить|купить|отправить|заполнить|назначить|закрыть|отменить|уценить|переоценить|` +
	`убрать|исключить|разделить|поделить|объединить|соединить|заменить|сократить|урезать|уложить|запомнить|записать|` +
	`order|reorder|restock|prepare|create|make|draft|propose|move|transfer|raise|lower|increase|decrease|reduce|` +
	`change|set|update|add|delete|remove|send|cancel|assign|buy|replenish|split|merge|combine|replace|edit|drop|cut|remember|note)(?:[^\p{L}]|$)`)

// wantsChange reports whether a person's own words ask for a change. Only then is the model offered tools that propose
// one (rule R98): a text in the account or of another server may steer a model, and cannot give it what the person did
// not ask for.
func wantsChange(task string, r language.Reading) bool {
	if r.Skill.Proposes() || change.MatchString(task) {
		return true
	}
	if r.Question != nil {
		for _, o := range r.Question.Options {
			if o.Skill.Proposes() {
				return true
			}
		}
	}
	return false
}

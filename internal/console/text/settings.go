package text

import "github.com/stockhand/stockhand"

// SettingNames are the settings of the audit log in words.
var SettingNames = map[stockhand.Setting]T{
	stockhand.KeysMayConfirm: KeysConfirm,
	stockhand.DraftRules:     RulesTitle,
	stockhand.Retention:      KeepTitle,
	stockhand.TimeZone:       OrgZone,
	stockhand.Notes:          NotesTitle,
	stockhand.Quota:          StorageTitle,
}

// Settings of an organization.
var (
	SettingsTabs      = T{"Разделы настроек", "Parts of the settings"}
	SettingsWriting   = T{"Запись и черновики", "Writing and drafts"}
	SettingsAccess    = T{"Доступ", "Access"}
	SettingsRetention = T{"Хранение", "Retention"}
	SettingsModels    = T{"Модели", "Models"}
	SettingsNotes     = T{"Заметки", "Notes"}
	NotesTitle        = T{"Что должен знать агент", "What the agent should know"}
	NotesLabel        = T{"Заметки, по одной в строке", "Notes, one in a line"}
	NotesHint         = T{"Например: у кого вы никогда не заказываете, сроки поставки, с какого месяца " +
		"финансовый год. Языковая модель читает их с каждым вопросом; изменить их агент может только предложить.",
		"For example whom you never order from, lead times, when the fiscal year begins. A language model " +
			"reads them with every question; the agent can only propose to change them."}
	OrgName     = T{"Название", "Name"}
	OrgZone     = T{"Часовой пояс", "Time zone"}
	OrgZoneHint = T{"В нём показывается, когда что произошло. Дни продаж и остатков считаются по времени " +
		"аккаунта.",
		"Times of what happened are shown in it. The days of sales and stock are those of the account's time."}
	OrgNameWrong   = T{"От 1 до 100 знаков.", "From 1 to 100 characters."}
	ZoneOfAccounts = T{"Как в подключённых аккаунтах", "As in the connected accounts"}
	SettingsSaved  = T{"Сохранено", "Saved"}
	NotSaved       = T{"Не сохранено", "Not saved"}

	WritesTitle = T{"Запись во внешние системы", "Writing to external systems"}
	WritesOn    = T{"разрешена", "allowed"}
	WritesOff   = T{"остановлена", "stopped"}
	WritesHint  = T{"Подтверждённые черновики записываются в МойСклад. Если что-то идёт не так, " +
		"остановите всю запись сразу: читать и готовить черновики можно и дальше.",
		"Confirmed drafts are written to MoySklad. If something goes wrong, stop all writing at once: " +
			"reading and drafting go on."}
	WritesStop      = T{"Остановить запись", "Stop all writing"}
	WritesStopTitle = T{"Остановить всю запись?", "Stop all writing?"}
	WritesStopWhat  = T{"Ни один черновик и ни один запрос через шлюз больше ничего не изменит, кто бы ни " +
		"подтвердил. Документ, который уже отправляется, допишется; подтверждённые вернутся на решение.",
		"No draft and no request through the gateway changes anything any more, no matter who confirms. A " +
			"document that is being sent is finished; confirmed ones return to be decided on."}
	WritesAllow     = T{"Снова разрешить", "Allow again"}
	WritesAllowHow  = T{"Снова разрешить запись?", "Allow writing again?"}
	WritesAllowWhat = T{"Сначала убедитесь, что причина устранена. Сами по себе документы не отправятся: их " +
		"нужно подтвердить ещё раз.",
		"Make sure first that the cause is gone. Nothing is sent by itself: documents must be confirmed again."}
	WritesSure = T{"Я понимаю, что это коснётся всей организации",
		"I understand that this concerns the whole organization"}
	WritesUnsure  = T{"Поставьте отметку, чтобы подтвердить.", "Tick the box to confirm."}
	StopBanner    = T{"Запись во внешние системы остановлена", "Writing to external systems is stopped"}
	StopBannerWho = T{"%s, %s. Черновики можно готовить, но не подтверждать.",
		"%s, %s. Drafts can be made but not confirmed."}
	StopEverywhere = T{"Это сделал оператор сервера для всех организаций, и снова разрешить может только он.",
		"The operator of the server did this for all organizations, and only they can allow it again."}
	StopToSettings = T{"К настройкам", "To the settings"}

	RulesTitle = T{"Правила черновиков", "Rules for drafts"}
	RulesHint  = T{"Что требуется, кроме подтверждения человеком. Пустое поле — без правила. Суммы — " +
		"в валюте аккаунта.",
		"What is required besides a person who confirms. An empty field is no rule. Amounts are in the " +
			"account's currency."}
	RulesLimits      = T{"Что не пропускать", "What is refused"}
	RulesSecond      = T{"Когда нужен второй человек", "When a second person is needed"}
	RulesProof       = T{"Когда подтверждать личность", "When to prove who you are"}
	RuleMaxOrder     = T{"Заказ поставщику дороже", "A supplier order above"}
	RuleMaxChange    = T{"Цена меняется сильнее, %", "A price that changes by more than, %"}
	RuleSecondAbove  = T{"Заказы черновика вместе дороже", "The draft's orders together exceed"}
	RuleSecondChange = T{"Цена меняется сильнее, %", "A price changes by more than, %"}
	RuleStepUp       = T{"Заказы черновика вместе дороже", "The draft's orders together exceed"}
	RuleStepUpHint   = T{"Пароль или ключ входа, не старше 15 минут.", "With a password or passkey, within 15 minutes."}
	RuleBelowCost    = T{"Цена ниже себестоимости", "A price below cost"}
	RuleProposer     = T{"Всегда: кто предложил или правил черновик, тот его не подтверждает",
		"Always: a draft is not confirmed by the person who proposed or edited it"}
	RuleQuiet     = T{"Тихие часы: ничего не подтверждать", "Quiet hours: nothing is confirmed"}
	RuleQuietFrom = T{"С", "From"}
	RuleQuietTo   = T{"До", "To"}
	RuleQuietHint = T{"По времени аккаунта, например 22:00 и 08:00. Пусто — без тихих часов.",
		"In the account's time zone, such as 22:00 and 08:00. Empty is no quiet hours."}
	RuleNumber = T{"Введите число не меньше 0, не больше двух знаков после запятой.",
		"Enter a number not below 0 with at most two decimals."}
	RuleTimes = T{"Введите два разных времени, например 22:00 и 08:00.",
		"Enter two different times such as 22:00 and 08:00."}

	KeysConfirm     = T{"Ключи API могут подтверждать черновики", "API keys may confirm drafts"}
	KeysConfirmHint = T{"Обычно подтверждает только человек. Если включить, программа с ключом сможет " +
		"записывать в МойСклад сама.",
		"Normally only a person confirms. If on, a program with a key can write to MoySklad by itself."}
	PolicyTitle     = T{"Ключи и токены", "Keys and tokens"}
	PolicyHint      = T{"Действует и на уже созданные.", "This also applies to those that exist."}
	PolicyKeyDays   = T{"Ключ API работает не дольше, дней", "An API key works at most, days"}
	PolicyTokenDays = T{"Токен человека работает не дольше, дней", "A person's token works at most, days"}
	PolicyDaysHint  = T{"От 1 до 365; пусто — без ограничения. Вашего токена это тоже касается.",
		"From 1 to 365; empty is no limit. This includes your own tokens."}
	PolicyKeyDaysHint = T{"От 1 до 365; пусто — без ограничения.", "From 1 to 365; empty is no limit."}
	PolicyAddresses   = T{"Ключ работает только с заданных адресов", "A key works only from addresses that are given"}
	PolicyAddressHint = T{"Ключи без разрешённых адресов перестанут работать сразу.",
		"Keys without allowed addresses stop working at once."}
	WholeDays = T{"Введите целое число от %d до %d.", "Enter a whole number from %d to %d."}

	KeepTitle = T{"Сколько хранить", "How long things are kept"}
	KeepHint  = T{"В днях. Пусто — как принято на этом сервере. Что удалено, не вернуть; ждущие " +
		"черновики и незавершённая запись остаются.",
		"In days. Empty is this server's default. What is deleted cannot be brought back; waiting drafts " +
			"and unfinished writes stay."}
	KeepSessions    = T{"Диалоги после последнего сообщения", "Conversations after their last message"}
	KeepResults     = T{"Строки таблиц", "Rows of results"}
	KeepResultsHint = T{"Ответ и итоги в диалоге остаются.", "The answer and its totals stay in the conversation."}
	KeepAudit       = T{"Журнал действий", "Audit log"}
	KeepAnswers     = T{"Ответы на повторные запросы программ", "Answers to repeated requests of programs"}
	KeepNow         = T{"Сейчас: %s.", "Now: %s."}
	KeepForGood     = T{"бессрочно", "for good"}

	ModelsTitle = T{"Языковые модели", "Language models"}
	ModelsHint  = T{"Модели подключает оператор сервера. Цены — за миллион токенов.",
		"The operator of the server connects models. Prices are per million tokens."}
	NoModels     = T{"Модель не подключена", "No model is connected"}
	NoModelsHint = T{"Вопросы разбирает встроенный разборщик: без модели, бесплатно и на этом сервере.",
		"Questions are read by the built-in reader: without a model, at no cost, on this server."}
	ModelAnswers = T{"отвечает на вопросы", "answers questions"}
	ModelSpare   = T{"запасная", "fallback"}
	ModelSmall   = T{"начинает короткие вопросы", "begins short questions"}
	ModelPassed  = T{"доступна программам через API", "open to programs over the API"}
	PriceIn      = T{"Вход", "Input"}
	PriceOut     = T{"Выход", "Output"}
	ModelUse     = T{"Для чего", "Use"}
	ModelFree    = T{"не задана", "not set"}
	ReaderFirst  = T{"Сначала вопрос разбирает встроенный разборщик; модель отвечает на то, что он понял " +
		"не до конца.",
		"The built-in reader reads each question first; the model answers what it does not understand completely."}
	ReaderHint = T{"На каждый вопрос отвечает модель с подсказкой встроенного разборщика.",
		"The model answers every question, with a hint of the built-in reader."}
	ReaderOff      = T{"На каждый вопрос отвечает модель.", "The model answers every question."}
	ModelRunLimits = T{"На один вопрос: не больше %s обращений к модели и %s.",
		"For one question: at most %s model calls and %s."}
)

package text

import "github.com/stockhand/stockhand"

// Counted nouns of drafts.
var (
	Documents = Count{"документ", "документа", "документов", "document", "documents"}
	Lines     = Count{"строка", "строки", "строк", "line", "lines"}
	Requests  = Count{"запрос", "запроса", "запросов", "request", "requests"}
)

// DraftStates are the tabs of the inbox.
var DraftStates = map[stockhand.DocumentState]T{
	"":                          {"Все", "All"},
	stockhand.DocumentPending:   {"Ждут решения", "Waiting"},
	stockhand.DocumentConfirmed: {"Ждут отправки", "To be sent"},
	stockhand.DocumentApplying:  {"Отправляются", "Being sent"},
	stockhand.DocumentUnknown:   {"Исход неизвестен", "Outcome unknown"},
	stockhand.DocumentApplied:   {"Записаны", "Written"},
	stockhand.DocumentFailed:    {"Не записаны", "Not written"},
	stockhand.DocumentRejected:  {"Отклонены", "Rejected"},
	stockhand.DocumentExpired:   {"Просрочены", "Expired"},
}

// DocumentStates are badges of one document.
var DocumentStates = map[stockhand.DocumentState]T{
	stockhand.DocumentPending:   {"ждёт решения", "waiting"},
	stockhand.DocumentConfirmed: {"ждёт отправки", "to be sent"},
	stockhand.DocumentApplying:  {"отправляется", "being sent"},
	stockhand.DocumentUnknown:   {"исход неизвестен", "outcome unknown"},
	stockhand.DocumentApplied:   {"записан", "written"},
	stockhand.DocumentFailed:    {"не записан", "not written"},
	stockhand.DocumentRejected:  {"отклонён", "rejected"},
	stockhand.DocumentExpired:   {"просрочен", "expired"},
}

// DocumentKinds say what a document would do.
var DocumentKinds = map[string]T{
	"supplier_order": {"Заказ поставщику", "Supplier order"},
	"transfer":       {"Перемещение", "Transfer"},
	"price_change":   {"Изменение цен", "Price change"},
	"minimum_stock":  {"Неснижаемые остатки", "Minimum stock"},
	"deletion":       {"Удаление документа", "Deletion"},
	"remote_call":    {"Вызов другого сервера", "Call of another server"},
	"note_change":    {"Заметки организации", "Notes of the organization"},
}

// The inbox.
var (
	DraftsByState = T{"Черновики по состоянию", "Drafts by state"}
	NoDrafts      = T{"Здесь пока нет черновиков", "There are no drafts here yet"}
	NoDraftsHint  = T{"Черновик появляется, когда вы просите подготовить заказ, перемещение или новые цены. До вашего " +
		"подтверждения в МойСклад ничего не записывается.",
		"A draft appears when you ask for an order, a transfer or new prices. Nothing is written to " +
			"MoySklad until you confirm it."}
	NoWaiting = T{"Всё решено", "All decided"}
	Until     = T{"до %s", "until %s"}
	By        = T{"для %s", "for %s"}
	Older     = T{"Более ранние", "Older"}
	UndoOf    = T{"отмена", "undo"}
	APIKey    = T{"ключ API", "an API key"}
	Operator  = T{"командная строка", "the command line"}
	Gone      = T{"бывший участник", "a former member"}
)

// A draft.
var (
	Version         = T{"Версия", "Version"}
	CreatedAt       = T{"Создан", "Created"}
	CreatedFor      = T{"Для кого", "For"}
	ExpiresAt       = T{"Подтвердить до", "Confirm by"}
	Total           = T{"Сумма", "Total"}
	TotalOfAll      = T{"Всего", "In total"}
	AccountOf       = T{"Куда", "Account"}
	NoConnection    = T{"подключение удалено", "the connection was deleted"}
	Undoes          = T{"Отменяет", "Undoes"}
	Undoes1         = T{"черновик", "a draft"}
	Supplier        = T{"Поставщик", "Supplier"}
	Warehouse       = T{"Склад", "Warehouse"}
	From            = T{"Откуда", "From"}
	To              = T{"Куда", "To"}
	Delivery        = T{"Поставка", "Delivery"}
	PriceType       = T{"Цена", "Price type"}
	LegalEntity     = T{"Юрлицо", "Legal entity"}
	Deletes         = T{"Удаляет", "Deletes"}
	ServerName      = T{"Сервер", "Server"}
	ToolName        = T{"Инструмент", "Tool"}
	Product         = T{"Товар", "Product"}
	Quantity        = T{"Количество", "Quantity"}
	Price           = T{"Цена", "Price"}
	Sum             = T{"Сумма", "Sum"}
	Was             = T{"Было", "Old"}
	Becomes         = T{"Станет", "New"}
	Change          = T{"Изменение", "Change"}
	Argument        = T{"Аргумент", "Argument"}
	Value           = T{"Значение", "Value"}
	AllWarehouses   = T{"все вместе", "all together"}
	DropLine        = T{"Убрать", "Drop"}
	DropLineOf      = T{"Убрать строку: %s", "Drop the line: %s"}
	DropDocument    = T{"Убрать документ", "Drop the document"}
	QuantityOf      = T{"Количество: %s", "Quantity: %s"}
	PriceOf         = T{"Цена: %s", "Price: %s"}
	Attention       = T{"обратите внимание", "needs attention"}
	Consequences    = T{"Что будет", "What follows"}
	SelectDocument  = T{"Подтвердить: %s", "Confirm: %s"}
	SeveralTimes    = T{"в разных валютах", "in several currencies"}
	PacksOf         = T{"упаковками по %s", "in packs of %s"}
	Receipt         = T{"Записано", "Written"}
	OpenExternal    = T{"Открыть в МойСклад", "Open in MoySklad"}
	NotANumber      = T{"Нужно число", "A number is needed"}
	EditsWrong      = T{"Изменения не сохранены", "Your changes are not saved"}
	EditsWrongHint  = T{"Исправьте отмеченные поля.", "Correct the marked fields."}
	NoEdits         = T{"Вы ничего не изменили", "You have changed nothing"}
	SaveChanges     = T{"Сохранить изменения", "Save changes"}
	OtherDraft      = T{"другой черновик", "another draft"}
	Unsaved         = T{"Есть несохранённые изменения", "There are unsaved changes"}
	Saved           = T{"Сохранено: версия %d", "Saved as version %d"}
	CheckAndConfirm = T{"Проверить и подтвердить", "Check and confirm"}
	CannotDecide    = T{"У вашей роли нет права менять и подтверждать черновики.",
		"Your role does not allow you to edit and confirm drafts."}
	Reject      = T{"Отклонить", "Reject"}
	RejectTitle = T{"Отклонить черновик?", "Reject the draft?"}
	RejectHint  = T{"Ничего не будет записано. Вернуть отклонённый черновик нельзя.",
		"Nothing will be written. A rejected draft cannot be brought back."}
	UndoAction = T{"Отменить записанное", "Undo what was written"}
	UndoTitle  = T{"Подготовить отмену?", "Prepare to undo?"}
	UndoHint   = T{"Появится черновик с обратными документами. Он тоже ждёт подтверждения.",
		"This makes a draft with the reverse documents. It waits for confirmation, too."}
	PrepareUndo  = T{"Подготовить отмену", "Prepare the reverse"}
	Print        = T{"Печать", "Print"}
	ChangedSince = T{"Что изменилось с версии %d", "What has changed since version %d"}
	ChangedNow   = T{"Черновик изменился, пока вы на него смотрели. Ничего не сделано.",
		"The draft has changed while you were looking at it. Nothing was done."}
	YouEntered   = T{"Вы ввели", "You entered"}
	NowIs        = T{"Сейчас", "Now"}
	Dropped      = T{"убрано", "dropped"}
	Added        = T{"добавлено", "added"}
	WholeDoc     = T{"документ целиком", "the whole document"}
	Writing      = T{"Записываем: готово %d из %d", "Writing: %d of %d done"}
	WritingHint  = T{"Страницу можно закрыть: запись продолжится.", "You can close this page: writing goes on."}
	SecondNeeded = T{"Нужно второе подтверждение", "A second confirmation is needed"}
	SecondHint   = T{"Первое подтверждение уже есть: %s. Проверьте и подтвердите вторым — тогда документы запишутся.",
		"%s confirmed first. Check and confirm as the second person: then the documents are written."}
	SecondYours = T{"Вы подтвердили первым. По правилам организации нужен ещё один человек: отправьте ему " +
		"ссылку на эту страницу.",
		"You confirmed first. By the organization's rules another person must confirm, too: send them the link to this page."}
	SecondPart = T{"Часть документов вы уже подтвердили первым: их подтвердит ещё один человек. Остальные " +
		"ждут первого подтверждения.",
		"You confirmed some of the documents first: another person confirms those. The others wait for a first confirmation."}
	LeaveUnsaved = T{"Изменения не сохранены. Уйти со страницы?", "The changes are not saved. Leave the page?"}
)

// The step of the confirmation.
var (
	ConfirmTitle = T{"Что будет записано", "What will be written"}
	ConfirmLead  = T{"Проверьте ещё раз. После подтверждения документы сразу появятся в МойСклад.",
		"Check once more. The documents appear in MoySklad as soon as you confirm."}
	ConfirmLead1 = T{"Проверьте ещё раз. Документы запишутся, когда подтвердит ещё один человек.",
		"Check once more. The documents are written when another person has confirmed, too."}
	ConfirmButton = T{"Записать %s", "Write %s"}
	ConfirmFor    = T{"Записать %s на %s", "Write %s for %s"}
	ConfirmFirst  = T{"Подтвердить первым", "Confirm as the first person"}
	Creates       = T{"Будет создан заказ поставщику", "A supplier order will be created"}
	Moves         = T{"Будет создано перемещение", "A transfer will be created"}
	Reprices      = T{"Будут изменены цены", "Prices will be changed"}
	Minimums      = T{"Будут изменены неснижаемые остатки", "Minimum stocks will be changed"}
	DeletesOne    = T{"Будет удалён документ", "A document will be deleted"}
	CallsServer   = T{"Будет вызван другой сервер", "Another server will be called"}
	ChangesNotes  = T{"Изменятся заметки организации", "The organization's notes will change"}
	WillPass      = T{"Можно записать", "Can be written"}
	WillNotPass   = T{"Не будет записан", "Will not be written"}
	NeedsTwo      = T{"Подтверждают двое: вы будете первым, после вас — другой человек.",
		"Two people confirm this: you would be the first, another person follows."}
	ExactRequests = T{"Точные запросы к внешней системе", "The exact requests to the external system"}
	NonePass      = T{"Записать нечего: причины указаны у документов.",
		"There is nothing to write: each document says why."}
	NoneChosen = T{"Не выбран ни один документ.", "No document is selected."}
	PartOf     = T{"%s из %d в черновике; остальные подождут.", "%s of %d in the draft; the others wait."}
	ProveTitle = T{"Подтвердите, что это вы", "Prove that it is you"}
	ProveHint  = T{"Правила организации требуют этого для такой суммы. Введите пароль или код из приложения.",
		"The organization's rules require it for this amount. Enter your password or the code of your app."}
	Password = T{"Пароль", "Password"}
	Code     = T{"Код из приложения", "Code of your app"}
	Prove    = T{"Подтвердить вход", "Prove it"}
)

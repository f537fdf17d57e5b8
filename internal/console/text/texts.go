package text

import "github.com/stockhand/stockhand"

// The frame of every page.
var (
	SkipToContent = T{"К содержанию", "Skip to content"}
	MainMenu      = T{"Разделы", "Sections"}
	More          = T{"Ещё", "More"}
	Ask           = T{"Вопросы", "Ask"}
	Drafts        = T{"Черновики", "Drafts"}
	Connections   = T{"Подключения", "Connections"}
	People        = T{"Сотрудники", "People"}
	Reference     = T{"Описание API", "API reference"}
	Account       = T{"Учётная запись", "Account"}
	Organization  = T{"Организация", "Organization"}
	Organizations = T{"Организации", "Organizations"}
	SignOut       = T{"Выйти", "Sign out"}
	LanguageTitle = T{"Язык", "Language"}
	Theme         = T{"Оформление", "Theme"}
	ThemeAuto     = T{"Как в системе", "System"}
	ThemeLight    = T{"Светлое", "Light"}
	ThemeDark     = T{"Тёмное", "Dark"}
	Settings      = T{"Настройки", "Settings"}
	Waiting       = T{"ждут решения", "waiting"}
	Offline       = T{"Нет связи с сервером. Проверьте подключение и повторите.",
		"The server cannot be reached. Check your connection and try again."}
	NoScript = T{"Без JavaScript всё работает, только медленнее.", "Everything works without JavaScript, just slower."}
)

// Actions and words of several pages.
var (
	Save    = T{"Сохранить", "Save"}
	Cancel  = T{"Отмена", "Cancel"}
	Back    = T{"Назад", "Back"}
	Close   = T{"Закрыть", "Close"}
	Copy    = T{"Скопировать", "Copy"}
	Copied  = T{"Скопировано", "Copied"}
	Delete  = T{"Удалить", "Delete"}
	Reset   = T{"Вернуть как было", "Undo changes"}
	Unknown = T{"неизвестно", "unknown"}
	Next    = T{"Дальше", "Next"}
	First   = T{"К началу", "To the first"}
	Role    = T{"Роль", "Role"}
	Email   = T{"Почта", "Email"}
	Name    = T{"Имя", "Name"}
	State   = T{"Состояние", "State"}
	Created = T{"Создан", "Created"}
	Actions = T{"Действия", "Actions"}
	You     = T{"вы", "you"}
	Yes     = T{"Да", "Yes"}
	No      = T{"Нет", "No"}
)

// Pages of errors.
var (
	NotFound = T{"Здесь ничего нет", "There is nothing here"}

	NoSuchPage = T{"Такой страницы нет.", "There is no such page."}

	NotFoundHint = T{"Проверьте адрес или начните с главной.", "Check the address, or begin at the start page."}

	Refused     = T{"Сюда нельзя", "You may not do this"}
	Conflict    = T{"Уже изменилось", "This has changed"}
	Wrong       = T{"Так не получится", "This does not work"}
	Failed      = T{"Что-то сломалось", "Something failed"}
	TooMany     = T{"Слишком много запросов", "Too many requests"}
	Request     = T{"Номер запроса для поддержки: %s", "Request number for support: %s"}
	ToStart     = T{"На главную", "To the start page"}
	TryAgain    = T{"Повторить", "Try again"}
	NotAccepted = T{"Не принято: проверьте, что введено", "It was not accepted: check what was entered"}
)

// RoleNames are the roles as people read them.
var RoleNames = map[stockhand.Role]T{
	stockhand.RoleOwner:  {"Владелец", "Owner"},
	stockhand.RoleAdmin:  {"Администратор", "Admin"},
	stockhand.RoleMember: {"Участник", "Member"},
	stockhand.RoleViewer: {"Наблюдатель", "Viewer"},
}

// RoleMeanings say what a role may do.
var RoleMeanings = map[stockhand.Role]T{
	stockhand.RoleOwner: {"всё, включая роли владельцев", "everything, also the role of owners"},
	stockhand.RoleAdmin: {"всё: подключения, ключи, сотрудники, подтверждение черновиков",
		"everything: connections, keys, people, confirming drafts"},
	stockhand.RoleMember: {"спрашивать, менять и подтверждать черновики", "ask, edit and confirm drafts"},
	stockhand.RoleViewer: {"только смотреть", "look only"},
}

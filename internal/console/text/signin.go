package text

// Signing in, and accepting an invitation.
var (
	SignInTitle      = T{"Вход в Stockhand", "Sign in to Stockhand"}
	SignInAction     = T{"Войти", "Sign in"}
	SignInLinkHint   = T{"По этой ссылке можно войти один раз.", "This link signs you in once."}
	SignInCode       = T{"Код из приложения или запасной код", "Code of your app, or a recovery code"}
	SignInPasskey    = T{"Войти с ключом входа", "Sign in with a passkey"}
	SignInProvider   = T{"Войти через учётную запись организации", "Sign in with your organization's account"}
	SignInNoPassword = T{"Нет пароля? Попросите ссылку для входа у оператора этого сервера.",
		"No password? Ask the operator of this server for a link to sign in."}

	InvitedTitle    = T{"Приглашение в Stockhand", "Invitation to Stockhand"}
	InvitedAccept   = T{"Принять приглашение", "Accept the invitation"}
	InvitedNew      = T{"Создайте учётную запись", "Create your account"}
	InvitedName     = T{"Ваше имя (не обязательно)", "Your name (optional)"}
	InvitedPassword = T{"От 10 до 200 знаков.", "10 to 200 characters."}
	InvitedOptional = T{"От 10 до 200 знаков. Можно не задавать и на следующей странице добавить ключ входа " +
		"(passkey).",
		"10 to 200 characters. You may leave it empty and add a passkey on the next page."}
	InvitedHave = T{"Если учётная запись у вас уже есть, войдите и откройте эту ссылку ещё раз.",
		"If you have an account, sign in and open this link again."}
	InvitedOperator = T{"Учётные записи создаёт только оператор этой установки.",
		"Only the operator of this installation creates accounts."}
)

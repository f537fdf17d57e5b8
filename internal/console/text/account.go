package text

import "github.com/stockhand/stockhand"

// A person's own account: how they sign in, where they are signed in, and the organizations they belong to.
var (
	AccountTitle = T{"Ваша учётная запись", "Your account"}

	SignInWays   = T{"Как вы входите", "How you sign in"}
	PasswordSet  = T{"задан", "set"}
	PasswordNone = T{"не задан", "not set"}
	PasswordNew  = T{"Задать пароль", "Set a password"}
	PasswordEdit = T{"Сменить пароль", "Change the password"}
	PasswordNow  = T{"Нынешний пароль", "Current password"}
	PasswordNext = T{"Новый пароль", "New password"}
	PasswordHint = T{"От 10 до 200 знаков. В других браузерах придётся войти заново.",
		"10 to 200 characters. Other browsers have to sign in again."}

	Passkeys     = T{"Ключи входа", "Passkeys"}
	PasskeysHint = T{"Вход отпечатком, лицом или кодом устройства, без пароля (passkey).",
		"Signing in with a fingerprint, a face or the code of a device, without a password."}
	PasskeysNone = T{"Ключей пока нет.", "There are none yet."}
	PasskeysOff  = T{"На этом сервере ключей входа нет: нужен адрес с HTTPS.",
		"This server has no passkeys: it needs an address with HTTPS."}
	PasskeysNot      = T{"В этом браузере ключей входа нет.", "This browser has no passkeys."}
	PasskeyName      = T{"Название устройства", "Name of the device"}
	PasskeyAdd       = T{"Добавить ключ", "Add a passkey"}
	PasskeyUse       = T{"Ключом входа", "With a passkey"}
	PasskeySynced    = T{"есть и на других устройствах", "also on other devices"}
	PasskeyRemoveOf  = T{"Удалить ключ входа «%s»", "Remove the passkey “%s”"}
	AddedAt          = T{"добавлен %s", "added %s"}
	UsedAt           = T{"использован %s", "used %s"}
	NeverUsed        = T{"не использован", "never used"}
	IdentityOf       = T{"Учётная запись организации", "Account of your organization"}
	IdentityRemove   = T{"Отвязать", "Unlink"}
	IdentityRemoveOf = T{"Отвязать вход через %s", "Unlink signing in with %s"}

	SecondFactor     = T{"Одноразовые коды", "One-time codes"}
	SecondFactorHint = T{"Второй шаг после пароля или ссылки: код из приложения на телефоне.",
		"A second step after a password or link: a code from an app on your phone."}
	SecondFactorOn    = T{"включены", "on"}
	SecondFactorOff   = T{"выключены", "off"}
	SecondFactorStart = T{"Включить", "Turn on"}
	SecondFactorEnd   = T{"Выключить", "Turn off"}
	SecondFactorTitle = T{"Добавьте ключ в приложение", "Add the key to your app"}
	SecondFactorHow   = T{"В Google Authenticator, Яндекс Ключе или другом приложении добавьте запись с " +
		"этим ключом и введите код, который оно покажет.",
		"In Google Authenticator or another app, add an entry with this key. Then enter the code that the " +
			"app shows."}
	SecondFactorKey  = T{"Ключ для приложения", "Key for the app"}
	SecondFactorOpen = T{"Открыть в приложении", "Open in the app"}
	SecondFactorCode = T{"Код из приложения", "Code of the app"}
	RecoveryCodes    = T{"Запасные коды", "Recovery codes"}
	RecoveryLeft     = T{"Запасных кодов осталось: %s.", "Recovery codes left: %s."}
	RecoveryRenew    = T{"Новые запасные коды", "New recovery codes"}
	RecoveryOnce     = T{"Показываются один раз. Сохраните их: каждый заменяет код из приложения, если " +
		"телефон потерян.",
		"Shown once. Keep them: each replaces a code of the app if the phone is lost."}

	SignedInAt    = T{"Где вы вошли", "Where you are signed in"}
	SignedInHere  = T{"этот браузер", "this browser"}
	SignedInUsed  = T{"последний раз %s", "last used %s"}
	SignedInEnd   = T{"Завершить", "End"}
	SignedInEndOf = T{"Завершить вход: %s", "End the sign-in: %s"}
	SignedInOut   = T{"Выйти во всех остальных", "Sign out everywhere else"}
	OtherBrowser  = T{"Другая программа", "Another program"}

	OwnInvitations   = T{"Вас приглашают", "You are invited"}
	InvitedAs        = T{"роль: %s", "role: %s"}
	AcceptInvite     = T{"Принять", "Accept"}
	DeclineInvite    = T{"Отклонить", "Decline"}
	AcceptInviteOf   = T{"Принять приглашение в «%s»", "Accept the invitation to “%s”"}
	DeclineInviteOf  = T{"Отклонить приглашение в «%s»", "Decline the invitation to “%s”"}
	HomeOrganization = T{"основная", "home"}
	MakeHome         = T{"Сделать основной", "Make it home"}
	MakeHomeOf       = T{"Сделать основной: %s", "Make it home: %s"}
	OpenOrganization = T{"Открыть", "Open"}
	NewOrganization  = T{"Создать организацию", "Create an organization"}
	LeaveAction      = T{"Покинуть", "Leave"}
	LeaveTitle       = T{"Покинуть организацию?", "Leave the organization?"}
	LeaveWhat        = T{"Вы потеряете доступ сразу, а ключи API, которые вы создали, перестанут работать. " +
		"Вернуться можно только по новому приглашению.",
		"You lose access at once, and API keys that you created stop working. Only a new invitation brings " +
			"you back."}
	LeaveSure = T{"Я понимаю, что потеряю доступ", "I understand that I lose access"}

	ProveFirst     = T{"Сначала подтвердите, что это вы", "Prove first that it is you"}
	ProveFirstHint = T{"Вы давно не подтверждали вход. Введите пароль или код из приложения, потом повторите.",
		"Your last proof is too long ago. Enter your password or a code of your app, then repeat the change."}

	DoneProved    = T{"Подтверждено. Теперь повторите изменение.", "Proved. Now repeat the change."}
	DonePassword  = T{"Пароль сохранён", "The password was saved"}
	DonePasskey   = T{"Ключ входа добавлен", "The passkey was added"}
	DoneUnkeyed   = T{"Ключ входа удалён", "The passkey was removed"}
	DoneUnlinked  = T{"Учётная запись отвязана", "The account was unlinked"}
	DoneCodesOff  = T{"Одноразовые коды выключены", "One-time codes are off"}
	DoneSignedOut = T{"Вход завершён", "The sign-in was ended"}
	DoneJoined    = T{"Приглашение принято", "The invitation was accepted"}
	DoneDeclined  = T{"Приглашение отклонено", "The invitation was declined"}
	DoneHome      = T{"Основная организация выбрана", "The home organization was chosen"}
)

// SignInMethods are the ways to sign in, in words.
var SignInMethods = map[stockhand.SignInMethod]T{
	stockhand.SignInLink:     {"по ссылке", "with a link"},
	stockhand.SignInPassword: {"с паролем", "with a password"},
	stockhand.SignInPasskey:  {"с ключом входа", "with a passkey"},
	stockhand.SignInOIDC:     {"через организацию", "through the organization"},
}

must have 10 to 200 characters
	нужно от 10 до 200 знаков
must have at least 5 different characters
	нужно хотя бы 5 разных знаков
must not contain the name of your email address
	не должно содержать имя вашей почты
is not your password
	это не ваш пароль
is not the code that your app shows now
	это не тот код, который сейчас показывает приложение
is one of the passwords that are tried first
	такой пароль подбирают первым: придумайте другой
was not accepted: start again with POST /api/v1/me/passkeys/challenge
	ключ не принят: попробуйте ещё раз
must be in the future
	срок должен быть в будущем
must be an organization that you belong to
	выберите организацию, в которой вы состоите
must be of owner, admin, member, viewer
	выберите роль
must have 1 to 100 characters, not only spaces
	нужно от 1 до 100 знаков, не только пробелы
must have 1 to 100 characters
	нужно от 1 до 100 знаков
must be text without control characters
	нужен обычный текст, без управляющих знаков
must be a whole number from 0 to 365
	нужно целое число от 0 до 365
must be a whole number from 1 to 365
	нужно целое число от 1 до 365
must name a scope, or be left out for write:tools
	выберите хотя бы одно право
must be of read:tools, write:tools, read:data, chat, connector:gateway, admin
	выберите права из списка
must have at most 50 entries
	не больше 50 строк
must be addresses such as 192.0.2.1 or ranges such as 192.0.2.0/24 or 2001:db8::/32
	нужны адреса вида 192.0.2.1 или диапазоны вида 192.0.2.0/24
must be an email address such as name@example.com
	нужен адрес почты вида name@example.com
must name addresses: the organization's policy
	назовите адреса: этого требует организация
must be from 1 hour to 30 days
	нужно от 1 часа до 30 дней
this is the organization's last owner
	это последний владелец организации: сначала назначьте владельцем ещё кого-то
a member of the organization has that email
	сотрудник с такой почтой уже есть в организации
that email has already been invited
	на эту почту приглашение уже отправлено: отзовите его, чтобы пригласить заново
the member's role has changed meanwhile
	роль тем временем изменилась: откройте страницу ещё раз
the invitation is no longer pending
	приглашение больше не действует
the key is revoked or has expired
	ключ отозван или просрочен
the key was already replaced
	ключ уже заменён
this passkey was added already
	этот ключ входа уже добавлен
you already have a second factor
	одноразовые коды уже включены
you have no second factor
	одноразовые коды не включены
there is no second factor to confirm
	начните сначала: ключ для приложения больше не ждёт кода
you have no passkey
	у вас нет ключей входа

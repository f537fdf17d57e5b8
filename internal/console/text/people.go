package text

// People of an organization.
var (
	Invite      = T{"Пригласить", "Invite"}
	InviteTitle = T{"Пригласить сотрудника", "Invite a person"}
	InviteHint  = T{"Вы получите ссылку. Передайте её только этому человеку: по ней присоединяются к " +
		"организации.",
		"You get a link. Give it only to this person: with it one joins the organization."}
	InviteLink     = T{"Ссылка-приглашение", "Invitation link"}
	InviteOnce     = T{"Ссылка показывается один раз. Кому передать: %s", "The link is shown once. Give it to: %s"}
	Invitations    = T{"Приглашения", "Invitations"}
	Invited        = T{"Приглашён", "Invited"}
	RevokeInvite   = T{"Отозвать", "Revoke"}
	RevokeInviteOf = T{"Отозвать приглашение: %s", "Revoke the invitation of %s"}
	Since          = T{"В организации с", "Member since"}
	RoleOf         = T{"Роль: %s", "Role of %s"}
	RemoveMember   = T{"Исключить", "Remove"}
	RemoveMemberOf = T{"Исключить: %s", "Remove %s"}
	RemoveTitle    = T{"Исключить из организации?", "Remove from the organization?"}
	RemoveHint     = T{"%s потеряет доступ сразу. Ключи API, которые создал этот человек, перестанут работать.",
		"%s loses access at once. API keys that this person created stop working."}
)

package text

// The pages of people without an organization.
var (
	NoOrganization     = T{"Вы пока ни в одной организации", "You belong to no organization yet"}
	NoOrganizationHint = T{"Попросите администратора пригласить вас: он пришлёт ссылку, по которой вы присоединитесь.",
		"Ask an administrator to invite you. They send a link with which you join."}
)

package settings

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// Zones is the part of internal/timezone/orgzone that the section uses.
type Zones interface {
	Name(ctx context.Context, org stockhand.OrgID) (string, error)
	Set(ctx context.Context, a stockhand.Actor, name string) error
}

// The fields of the organization.
const (
	orgName = "name"
	orgZone = "time_zone"
)

// zones are the time zones to choose from. Others can be set over the API.
var zones = []struct {
	name  string
	title text.T
}{
	{"Europe/Kaliningrad", text.T{RU: "Калининград, UTC+2", EN: "Kaliningrad, UTC+2"}},
	{"Europe/Moscow", text.T{RU: "Москва, UTC+3", EN: "Moscow, UTC+3"}},
	{"Europe/Minsk", text.T{RU: "Минск, UTC+3", EN: "Minsk, UTC+3"}},
	{"Europe/Samara", text.T{RU: "Самара, UTC+4", EN: "Samara, UTC+4"}},
	{"Asia/Yerevan", text.T{RU: "Ереван, UTC+4", EN: "Yerevan, UTC+4"}},
	{"Asia/Tbilisi", text.T{RU: "Тбилиси, UTC+4", EN: "Tbilisi, UTC+4"}},
	{"Asia/Baku", text.T{RU: "Баку, UTC+4", EN: "Baku, UTC+4"}},
	{"Asia/Yekaterinburg", text.T{RU: "Екатеринбург, UTC+5", EN: "Yekaterinburg, UTC+5"}},
	{"Asia/Almaty", text.T{RU: "Алматы, UTC+5", EN: "Almaty, UTC+5"}},
	{"Asia/Tashkent", text.T{RU: "Ташкент, UTC+5", EN: "Tashkent, UTC+5"}},
	{"Asia/Omsk", text.T{RU: "Омск, UTC+6", EN: "Omsk, UTC+6"}},
	{"Asia/Bishkek", text.T{RU: "Бишкек, UTC+6", EN: "Bishkek, UTC+6"}},
	{"Asia/Novosibirsk", text.T{RU: "Новосибирск, UTC+7", EN: "Novosibirsk, UTC+7"}},
	{"Asia/Krasnoyarsk", text.T{RU: "Красноярск, UTC+7", EN: "Krasnoyarsk, UTC+7"}},
	{"Asia/Irkutsk", text.T{RU: "Иркутск, UTC+8", EN: "Irkutsk, UTC+8"}},
	{"Asia/Yakutsk", text.T{RU: "Якутск, UTC+9", EN: "Yakutsk, UTC+9"}},
	{"Asia/Vladivostok", text.T{RU: "Владивосток, UTC+10", EN: "Vladivostok, UTC+10"}},
	{"Asia/Magadan", text.T{RU: "Магадан, UTC+11", EN: "Magadan, UTC+11"}},
	{"Asia/Kamchatka", text.T{RU: "Камчатка, UTC+12", EN: "Kamchatka, UTC+12"}},
	{"UTC", text.T{RU: "Всемирное время, UTC", EN: "Universal time, UTC"}},
}

// zoneOptions are the choices of the form, with the present zone if it is another one.
func zoneOptions(ctx context.Context, now string) []ui.Option {
	all := []ui.Option{{Title: text.ZoneOfAccounts.In(ctx)}}
	for _, z := range zones {
		all = append(all, ui.Option{Value: z.name, Title: z.title.In(ctx)})
	}
	if !slices.ContainsFunc(all, func(o ui.Option) bool { return o.Value == now }) {
		all = append(all, ui.Option{Value: now, Title: now})
	}
	return all
}

// Organization serves the page of the organization's name and time zone.
func (h Handlers) Organization(w http.ResponseWriter, r *http.Request) error {
	return h.organization(w, r, fields{}, nil)
}

func (h Handlers) organization(w http.ResponseWriter, r *http.Request, f fields, failed error) (err error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	v := formView{Fields: f}
	if v.view, err = viewOf(r, organization, failed); err != nil {
		return err
	}
	if f.values == nil {
		name, zone, err := h.now(ctx, a)
		if err != nil {
			return err
		}
		v.Fields = newFields(url.Values{orgName: {name}, orgZone: {zone}})
	}
	return h.show(w, r, failed, organizationPage(v))
}

// now returns the name and the zone of the organization.
func (h Handlers) now(ctx context.Context, a stockhand.Actor) (name, zone string, err error) {
	all, err := h.Frames.People.Organizations(ctx, a)
	if err != nil {
		return "", "", err
	}
	for _, m := range all {
		if m.ID == a.Org {
			name = m.Name
		}
	}
	zone, err = h.Zones.Name(ctx, a.Org)
	return name, zone, err
}

// SaveOrganization changes the name and the time zone.
func (h Handlers) SaveOrganization(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	f := newFields(form)
	name, zone, err := h.now(ctx, a)
	if err != nil {
		return err
	}
	if wanted := f.value(orgName); wanted != name {
		_, err = h.Auth.RenameOrganization(ctx, a, a.Org, wanted)
	}
	if wanted := f.value(orgZone); err == nil && wanted != zone {
		err = h.Zones.Set(ctx, a, wanted)
	}
	if err != nil {
		f.note(err, "", text.OrgNameWrong.In(ctx))
		return h.organization(w, r, f, err)
	}
	return saved(w, r, organization)
}

package act

import "testing"

func TestActsAreReadInAnyOrderOfTheirWords(t *testing.T) { // rule R902
	for said, want := range map[string]Kind{
		"хочу увидеть весь список": All, "ой, верни цены обратно": Undo, "отмени что сделал": Reject,
		"отчего так упало": Why, "откуда рост": Why, "чем это объяснить": Why, "экспортни в excel": Export,
		"сделай файл экселя": Export, "выгрузи в цсв": Export, "изобрази наглядно": Chart,
		"что я не подтвердил": Drafts,
		"не отменяй":          None, "отмени заказ 00012": None, "весь чай": None,
		"откуда эти товары": None, "верни соль": None,
	} {
		if got := Read(said).Kind; got != want {
			t.Errorf("%q: %v, want %v", said, got, want)
		}
	}
}

package names

import (
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// channels are everyday words for one way of selling. Where an account has a sales channel of that name, they mean it:
// "а маркетплейс", "только сайт". Their plurals are a breakdown.
var channels = words.Set("сайт сайта сайту сайте сайтом маркетплейс маркетплейса маркетплейсу маркетплейсе " +
	"маркетплейсом озон озона озону озоне озоном ozon вб wildberries вайлдберриз интернет-магазин " +
	"интернет-магазина интернет-магазине website site marketplace")

// IsChannel reports whether a token is an everyday word for one way of selling.
func IsChannel(t *token.Token) bool { return channels[t.Norm] }

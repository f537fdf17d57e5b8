package draft

import "github.com/stockhand/stockhand"

// refusal is an error in both languages: the caller's language may differ from the draft's.
func refusal(code stockhand.Code, en, ru stockhand.Words) error {
	return &stockhand.Error{Code: code, Message: en.Message, Hint: en.Hint, RU: ru}
}

func noSuchDocument() error {
	return refusal(stockhand.CodeNotFound,
		stockhand.Words{Message: "the draft has no such document",
			Hint: "read the draft: its documents are there with their ids"},
		stockhand.Words{Message: "в черновике нет такого документа",
			Hint: "откройте черновик: в нём перечислены документы и их идентификаторы"})
}

// nothingToConfirm is the error when the named documents are already applied, or when none is pending.
func nothingToConfirm(named bool) error {
	if named {
		return refusal(stockhand.CodeConflict,
			stockhand.Words{Message: "there is nothing to confirm: the documents named are applied already",
				Hint: "read the draft and name documents that are pending; nothing was done"},
			stockhand.Words{Message: "подтверждать нечего: названные документы уже записаны",
				Hint: "откройте черновик и выберите документы, которые ждут решения; ничего не сделано"})
	}
	return refusal(stockhand.CodeConflict,
		stockhand.Words{Message: "there is nothing to confirm: no document of the draft waits for a decision",
			Hint: "read the draft to see what became of its documents; nothing was done"},
		stockhand.Words{Message: "подтверждать нечего: ни один документ черновика не ждёт решения",
			Hint: "откройте черновик: в нём видно, что стало с документами; ничего не сделано"})
}

func nothingToReject() error {
	return refusal(stockhand.CodeConflict,
		stockhand.Words{Message: "there is nothing to reject: no document of the draft waits for a decision",
			Hint: "read the draft to see what became of its documents; nothing was done"},
		stockhand.Words{Message: "отклонять нечего: ни один документ черновика не ждёт решения",
			Hint: "откройте черновик: в нём видно, что стало с документами; ничего не сделано"})
}

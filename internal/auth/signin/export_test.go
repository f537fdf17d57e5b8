package signin

// CodeAt is for the test vectors of RFC 6238.
var CodeAt = codeAt

// Remembered returns how many accounts have attempts that count.
func Remembered(s *Service) int { return len(s.guesses.accounts.known) }

package signin

// CodeAt is for the test vectors of RFC 6238.
var CodeAt = codeAt

// Remembered returns how many counts are remembered as full.
func Remembered(s *Service) int { return len(s.guesses.full) }

package signin

// CodeAt is for the test vectors of RFC 6238.
var CodeAt = codeAt

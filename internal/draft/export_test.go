package draft

// Exact is for tests outside the package.
var Exact = exact

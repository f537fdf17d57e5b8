package limit

// LeaseHolds is how long a lease lasts.
const LeaseHolds = leaseTime

package limit

// LeaseHolds is for how long a place is held without a word from its holder.
const LeaseHolds = leaseHolds

/** Tables of the service beside the record: users, the audit trail, receipts, corrections, erasures. */
export const serviceTables: readonly string[] = [];

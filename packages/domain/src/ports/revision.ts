/**
 * Opaque version of stored data, for callers that cache a result derived from it.
 *
 * Two equal revisions of the same data, taken while one store object was open, mean equal data. A write changes the
 * revision before it resolves. While a write is under way, a read may see it or not, so every call gives a different
 * revision. So a caller that first takes the revision and then reads may keep the result as long as the revision stays
 * the same. A call costs no more than reading one small row.
 */
export type Revision = string;

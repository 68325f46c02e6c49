/**
 * An opaque mark of a state of stored data, for callers that keep something derived from it.
 *
 * Two equal revisions of the same thing, taken while one store object was open, mean equal data. A change shows
 * in the revision at the latest when the write that made it resolves. Between two equal revisions every read sees the same
 * data: while a read may see a change or may not, the revision is another one each time. So a caller that first takes the revision
 * and then reads the data may keep what it read for as long as the revision stays the same. Asking for it costs
 * no more than reading one small row.
 */
export type Revision = string;

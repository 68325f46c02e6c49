/** Tables of the service other than the record: users, the audit trail, receipts, corrections, erasures. */
export const serviceTables: readonly string[] = [
  // JSON is kept as text: text can hold every character of a JSON string.
  `CREATE TABLE IF NOT EXISTS tallybook.account (
    site text NOT NULL,
    name text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, name)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.credential (
    site text NOT NULL,
    id text NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, id)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.audit (
    site text NOT NULL,
    number bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, number)
  )`,
  // The end of the trail. It shows whether the latest entries are lost.
  `CREATE TABLE IF NOT EXISTS tallybook.audit_end (
    site text PRIMARY KEY,
    number bigint NOT NULL,
    hash text NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.receipt (
    site text NOT NULL,
    device text NOT NULL,
    runs text NOT NULL,
    PRIMARY KEY (site, device)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.correction (
    site text NOT NULL,
    number bigint NOT NULL,
    day bigint NOT NULL,
    id bytea NOT NULL,
    at bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, number)
  )`,
  'CREATE INDEX IF NOT EXISTS correction_of_day ON tallybook.correction (site, day, number)',
  // The latest transaction that changed the corrections of a day, even if none is left.
  `CREATE TABLE IF NOT EXISTS tallybook.correction_day (
    site text NOT NULL,
    day bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (site, day)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.erasure (
    site text NOT NULL,
    key text NOT NULL,
    digest text NOT NULL,
    from_at bigint NOT NULL,
    until bigint NOT NULL,
    expires_at bigint NOT NULL,
    state text NOT NULL,
    PRIMARY KEY (site, key, digest, from_at)
  )`,
];

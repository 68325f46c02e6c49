/*
 * Every key begins with the site. So all rows of a site can be on one shard, and a statement uses only one shard. Timestamps and
 * days are bigint, because both can exceed 2^31. Ids are bytea, which takes the least space and sorts like ids.
 */

/** Tables of the record: names, persons, days, provisional scans, the journal. */
const recordTables = [
  // Every transaction that writes locks the row of its site, so the writes of a site come one after another. `processes` are those
  // of the database that have written, and `gaps` pairs of cursors: nothing between the two was ever given.
  `CREATE TABLE IF NOT EXISTS tallybook.site (
    site text PRIMARY KEY,
    origin text NOT NULL,
    seq bigint NOT NULL DEFAULT 0,
    forgotten bigint NOT NULL DEFAULT 0,
    kept bigint NOT NULL DEFAULT 0,
    revision bigint NOT NULL DEFAULT 0,
    names_revision bigint NOT NULL DEFAULT 0,
    people_revision bigint NOT NULL DEFAULT 0,
    days_revision bigint NOT NULL DEFAULT 0,
    corrections_revision bigint NOT NULL DEFAULT 0,
    access_revision bigint NOT NULL DEFAULT 0,
    erasures_revision bigint NOT NULL DEFAULT 0,
    stations_revision bigint NOT NULL DEFAULT 0,
    provisional_number bigint NOT NULL DEFAULT 0,
    correction_number bigint NOT NULL DEFAULT 0,
    calendar text,
    erasure_key text NOT NULL,
    processes text[] NOT NULL DEFAULT '{}',
    gaps bigint[] NOT NULL DEFAULT '{}'
  )`,
  // The latest transaction of each server: a server that lost the answer to a COMMIT finds the outcome here.
  `CREATE TABLE IF NOT EXISTS tallybook.writer (
    site text NOT NULL,
    writer text NOT NULL,
    batch bigint NOT NULL,
    written_at bigint NOT NULL,
    PRIMARY KEY (site, writer)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.change (
    site text NOT NULL,
    seq bigint NOT NULL,
    written_at bigint NOT NULL,
    kind text NOT NULL,
    day bigint,
    id bytea,
    body text NOT NULL,
    PRIMARY KEY (site, seq)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.position (
    site text NOT NULL,
    consumer text NOT NULL,
    cursor bigint NOT NULL,
    PRIMARY KEY (site, consumer)
  )`,
  // Without `first` and `last`: the name was removed.
  `CREATE TABLE IF NOT EXISTS tallybook.name (
    site text NOT NULL,
    id bytea NOT NULL,
    first text,
    last text,
    stamp_ms bigint,
    stamp_counter bigint,
    stamp_node text,
    PRIMARY KEY (site, id)
  )`,
  // The id of a person is bytea too: how a database sorts text depends on its locale. JSON is kept as text, which can hold every
  // character of a JSON string. `merged` and `holders` are in the body too: a tap finds its person by them in one statement.
  `CREATE TABLE IF NOT EXISTS tallybook.person (
    site text NOT NULL,
    id bytea NOT NULL,
    merged text[] NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, id)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.tag (
    site text NOT NULL,
    id bytea NOT NULL,
    holders text[] NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, id)
  )`,
  // The id of a group as bytea: its UTF-8.
  `CREATE TABLE IF NOT EXISTS tallybook.grp (
    site text NOT NULL,
    id bytea NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, id)
  )`,
  // Rows of kinds that a later version may know. The id as bytea: the ASCII characters of kind, space and id.
  `CREATE TABLE IF NOT EXISTS tallybook.carried (
    site text NOT NULL,
    id bytea NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, id)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.day (
    site text NOT NULL,
    day bigint NOT NULL,
    entries bigint NOT NULL,
    latest_place bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (site, day)
  )`,
  `CREATE TABLE IF NOT EXISTS tallybook.entry (
    site text NOT NULL,
    day bigint NOT NULL,
    id bytea NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    scans bigint NOT NULL,
    place bigint NOT NULL,
    first_flags bigint NOT NULL DEFAULT 0,
    last_flags bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (site, day, id)
  )`,
  // The known scans between the first and the last one of their entry: the entry itself holds these two.
  `CREATE TABLE IF NOT EXISTS tallybook.scan (
    site text NOT NULL,
    day bigint NOT NULL,
    id bytea NOT NULL,
    at bigint NOT NULL,
    flags bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (site, day, id, at)
  )`,
  // A moment is the SHA-256 of tag, run and monotonic clock: it identifies a scan.
  `CREATE TABLE IF NOT EXISTS tallybook.provisional (
    site text NOT NULL,
    sequence bigint NOT NULL,
    moment bytea NOT NULL,
    id bytea NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (site, sequence),
    UNIQUE (site, moment)
  )`,
];

/** Tables of the service other than the record: users, the audit trail, receipts, corrections, erasures. */
const serviceTables = [
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
    is_closed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (site, key, digest, from_at)
  )`,
];

/** Tables of a centre: the stations that send to it. */
const syncTables = [
  // Runs, status and refused items are JSON, because no statement reads a part of them. None of them is about a tag.
  `CREATE TABLE IF NOT EXISTS tallybook.station (
    site text NOT NULL,
    name text NOT NULL,
    heard_at bigint NOT NULL,
    runs text NOT NULL,
    status text NOT NULL,
    refused text NOT NULL,
    PRIMARY KEY (site, name)
  )`,
];

/** The step from the format before to a format. */
export interface Migration {
  readonly format: number;
  /** The oldest format whose programs can use the new one: each migration must be safe while the version before runs. */
  readonly compatible: number;
  /**
   * Each statement may have run before, because an interrupted migration is run again. Each statement is a transaction of its
   * own.
   */
  readonly statements: readonly string[];
}

/** Ascending, from 1. Released migrations never change; new ones are added at the end. */
export const migrations: readonly Migration[] = [
  { format: 1, compatible: 1, statements: [...recordTables, ...serviceTables, ...syncTables] },
];

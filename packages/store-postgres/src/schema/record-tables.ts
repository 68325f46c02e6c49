/*
 * Every key begins with the site. So all rows of a site can be on one shard, and a statement uses only one shard. Timestamps and
 * days are bigint, because both can exceed 2^31. Ids are bytea, which takes the least space and sorts like ids.
 */

/** Tables of the record: names, days, provisional scans, the journal. */
export const recordTables: readonly string[] = [
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
    PRIMARY KEY (site, day, id)
  )`,
  // The known scans between the first and the last one of their entry: the entry itself holds these two.
  `CREATE TABLE IF NOT EXISTS tallybook.scan (
    site text NOT NULL,
    day bigint NOT NULL,
    id bytea NOT NULL,
    at bigint NOT NULL,
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

/*
 * Every key begins with the site, so all rows of a site can lie on one shard, and a statement touches only one.
 * Timestamps and days are bigint, since both go beyond 2^31; ids are bytea, which takes the least and compares like ids.
 */

/** Tables of the record: names, days, provisional scans, the journal. */
export const recordTables: readonly string[] = [
  // Its row is locked by every transaction that writes, so that writes of a site come one after another.
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
    correction_number bigint NOT NULL DEFAULT 0
  )`,
  // The latest transaction of each server: who lost the answer to a COMMIT finds it here.
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
  // Without first and last: the tag lost its name.
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
  // The scans that are known and are neither the first nor the last of their entry: those two it has itself.
  `CREATE TABLE IF NOT EXISTS tallybook.scan (
    site text NOT NULL,
    day bigint NOT NULL,
    id bytea NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (site, day, id, at)
  )`,
  // A moment is the SHA-256 of tag, run and monotonic clock: by it a scan is known again.
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

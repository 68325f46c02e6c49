/** Tables of a centre: the stations that send to it. */
export const syncTables: readonly string[] = [
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

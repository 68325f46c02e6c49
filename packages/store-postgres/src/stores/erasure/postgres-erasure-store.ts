import { isTallybookError, type Subscription, type TallyId, type Timestamp } from '@tallybook/domain';
import {
  ErasureIndex,
  requireRoom,
  type Erasure,
  type ErasureRequest,
  type ErasureRoom,
  type ErasureState,
  type ErasureStore,
  type KeptErasure,
  type Trace,
} from '@tallybook/domain/record';
import type { ErasureKnowledge } from '../../database/erasure-knowledge.js';
import type { PostgresDatabase } from '../../database/postgres-database.js';
import type { SiteRow } from '../../database/site-row.js';
import type { Transaction } from '../../database/transaction.js';
import { eraseTag } from './erase-tag.js';
import { findTags } from './find-tags.js';
import { traceTag } from './trace-tag.js';
import { tagDigests } from '../../rows/tag-digests.js';

/** $1: site, $2: digests, $3: keys, $4: until, $5: expiry. */
const insert = `INSERT INTO tallybook.erasure AS e (site, digest, key, until, expires_at, state)
  SELECT $1, t.digest, t.key, t.until, t.expires_at, 'begun'
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS t (digest, key, until, expires_at)
  ON CONFLICT (site, digest) DO UPDATE`;

/** Begins an erasure, also if the tag was erased before. Does not shorten an erasure. */
const insertAnew = `${insert}
  SET key = excluded.key, until = greatest(e.until, excluded.until),
    expires_at = greatest(e.expires_at, excluded.expires_at), state = excluded.state`;

/** Begins an erasure, but does not change an existing one that ends as late, or has another key. */
const insertLater = `${insert}
  SET key = excluded.key, until = excluded.until, expires_at = excluded.expires_at, state = excluded.state
  WHERE e.until < excluded.until AND e.key = excluded.key`;

/** $1: site, $2: digests. Gives the number of erasures, their keys, and those of the digests that exist. */
const selectKnown = `SELECT count(*)::int AS size, coalesce(array_agg(DISTINCT key), '{}') AS keys,
    coalesce(array_agg(digest) FILTER (WHERE digest = ANY ($2::text[])), '{}') AS digests
  FROM tallybook.erasure WHERE site = $1`;

/**
 * $1: site, $2: digests, $3: until, $4: the present state, $5: the new state. Does not change an erasure that another server has
 * made longer meanwhile.
 */
const updateState = `UPDATE tallybook.erasure AS e SET state = $5
  FROM unnest($2::text[], $3::bigint[]) AS t (digest, until)
  WHERE e.site = $1 AND e.digest = t.digest AND e.until = t.until AND e.state = $4 RETURNING e.digest`;

/** $1: site, $2: digests, $3: keys, $4: until, $5: expiry. Does not change a begun erasure. */
const updateEnd = `UPDATE tallybook.erasure AS e SET until = t.until, expires_at = t.expires_at
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS t (digest, key, until, expires_at)
  WHERE e.site = $1 AND e.digest = t.digest AND e.key = t.key AND e.until > t.until AND e.state <> 'begun'`;

/** $1: site, $2: time. */
const deleteExpired = 'DELETE FROM tallybook.erasure WHERE site = $1 AND expires_at <= $2 RETURNING digest';

/** Erasures that are written together. */
const AT_ONCE = 500;

/** All data of a tag is erased. */
const always = (): boolean => true;

interface Known {
  readonly size: number;
  readonly keys: readonly string[];
  readonly digests: readonly string[];
}

/** Asks the database, because another server may have written erasures. Nobody else writes until the transaction ends. */
async function requireRoomFor(
  transaction: Transaction,
  erasures: readonly Erasure[],
  room: ErasureRoom | undefined,
): Promise<void> {
  const asked = erasures.map(({ digest }) => digest);
  const [known] = await transaction.read<Known>(selectKnown, [transaction.site, asked]);
  const { size, keys, digests } = known ?? { size: 0, keys: [], digests: [] };
  const there = new Set(digests);
  requireRoom({ size, keys: new Set(keys), has: ({ digest }) => there.has(digest) }, erasures, room);
}

/**
 * Erases tags from all tables of a site. The row of an erasure is written first, so that the next opening, or another server,
 * goes on with an interrupted one. Erasures are few, and all are in memory. Those of other servers are known within 250 ms, and
 * in every transaction that writes.
 */
export class PostgresErasureStore implements ErasureStore {
  readonly #database: PostgresDatabase;
  readonly #erasures: ErasureKnowledge;
  /** Erasures that are being added. They count from the call on. */
  readonly #asked = new Set<ErasureIndex<Erasure>>();
  #watching: Subscription | undefined;

  constructor(database: PostgresDatabase) {
    this.#database = database;
    this.#erasures = database.erasures;
    database.onOpening(() => this.#begin());
    database.onClosing(() => this.#stopWatching());
  }

  refusedUntil(id: TallyId): Timestamp | undefined {
    const { present } = this.#erasures;
    let until = present.isEmpty ? undefined : present.find(id)?.until;
    for (const asked of this.#asked) {
      const other = asked.find(id)?.until;
      if (other !== undefined && (until === undefined || other > until)) until = other;
    }
    return until;
  }

  list(): Promise<readonly KeptErasure[]> {
    return this.#database.run(async () => {
      await this.#refresh();
      return this.#erasures.present.all;
    });
  }

  erase({ ids, until, expiresAt, room }: ErasureRequest): Promise<readonly string[]> {
    return this.#database.run(async () => {
      const begun: KeptErasure[] = [];
      for (const id of ids) {
        const { key, digest } = this.#erasures.present.nameOf(id);
        const known = this.#erasures.present.get({ key, digest });
        const latest = known !== undefined && known.until > until ? known.until : until;
        const erasure = { key, digest, until: latest, expiresAt, state: 'begun' } as const;
        // The tag is refused before the row is written: otherwise new data of it could be written behind the erasure.
        this.#erasures.begin(erasure);
        begun.push(erasure);
      }
      await this.#put(begun, insertAnew, room);
      const { present } = this.#erasures;
      for (const [index, id] of ids.entries()) {
        const erasure = begun[index];
        // If the erasure in the database ends later, that end is used.
        if (erasure !== undefined) await this.#erase(id, present.get(erasure) ?? erasure, always);
      }
      await this.#refresh();
      return begun.map(({ digest }) => digest);
    });
  }

  add(erasures: readonly Erasure[], now: Timestamp, room?: ErasureRoom): Promise<void> {
    return this.#database.run(async () => {
      const asked = new ErasureIndex(tagDigests, erasures);
      this.#asked.add(asked);
      try {
        await this.#add(erasures, now, room);
      } finally {
        this.#asked.delete(asked);
      }
    });
  }

  shorten(erasures: readonly Erasure[]): Promise<void> {
    return this.#database.run(async () => {
      for (let start = 0; start < erasures.length; start += AT_ONCE) {
        const some = erasures.slice(start, start + AT_ONCE);
        await this.#database.write((transaction) => put(transaction, some, updateEnd), some.length);
      }
      await this.#refresh();
    });
  }

  expire(now: Timestamp): Promise<number> {
    return this.#database.run(async () => {
      const count = await this.#database.write(async (transaction) => {
        const gone = await transaction.read(deleteExpired, [transaction.site, now]);
        if (gone.length > 0) transaction.touch('erasures');
        return gone.length;
      });
      await this.#refresh();
      return count;
    });
  }

  /** Does nothing: the database itself removes bytes from its files, its log and its backups some time later. */
  scrub(): Promise<boolean> {
    return this.#database.run(async () => {
      await this.#refresh();
      await this.#resume();
      const due = this.#erasures.present.all.filter(({ state }) => state === 'removed');
      await this.#setState(due, 'removed', 'done');
      return true;
    });
  }

  async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
    await using view = await this.#database.run(() => this.#database.view());
    yield* traceTag(view, this.#database.site, id);
  }

  formerFiles(): Promise<readonly string[]> {
    return this.#database.run(() => Promise.resolve([]));
  }

  async #begin(): Promise<void> {
    try {
      await this.#refresh();
      this.#watching = this.#database.changed.subscribe(
        (row) => void this.#refresh(row).catch(() => undefined),
      );
      await this.#resume();
    } catch (error) {
      // The erasure goes on at the next opening; until then its remaining rows can be read, as before.
      if (isTallybookError(error, 'STORE_WRITE_FAILED')) return;
      await this.#stopWatching();
      throw error;
    }
  }

  #stopWatching(): Promise<void> {
    this.#watching?.unsubscribe();
    this.#watching = undefined;
    return Promise.resolve();
  }

  async #add(erasures: readonly Erasure[], now: Timestamp, room?: ErasureRoom): Promise<void> {
    await this.#refresh();
    const added: KeptErasure[] = [];
    const resumed = new Set<string>();
    for (const { key, digest, until, expiresAt } of this.#erasures.present.untaken(erasures)) {
      const known = this.#erasures.present.get({ key, digest });
      if (known?.state === 'begun') resumed.add(digest);
      if ((known?.until ?? -1) < until) added.push({ key, digest, until, expiresAt, state: 'begun' });
    }
    for (const erasure of added) this.#erasures.begin(erasure);
    await this.#put(added, insertLater, room);
    const digests = new Set([...resumed, ...added.map(({ digest }) => digest)]);
    // Another server may have written an erasure that ends later, or may have finished this one.
    const begun = this.#begun().filter(({ digest }) => digests.has(digest));
    await this.#eraseFound(begun, { resumed, now });
  }

  /** Reads erasures that are not in memory yet. */
  async #refresh(seen?: SiteRow): Promise<void> {
    if (seen !== undefined && this.#erasures.isOf(seen)) return;
    const row = seen ?? (await this.#database.readRow());
    if (this.#erasures.isOf(row)) return;
    await this.#database.read((connection) => this.#erasures.load(connection, this.#database.site, row));
  }

  /**
   * Writes begun erasures. The check for room is in the same transaction, because another server may add erasures at this moment.
   * If it rejects, nobody is erased, unless the rows are in the database.
   */
  async #put(erasures: readonly KeptErasure[], statement: string, room?: ErasureRoom): Promise<void> {
    try {
      if (erasures.length === 0) return;
      await this.#database.write(async (transaction) => {
        await requireRoomFor(transaction, erasures, room);
        for (let start = 0; start < erasures.length; start += AT_ONCE)
          await put(transaction, erasures.slice(start, start + AT_ONCE), statement);
      }, erasures.length);
    } finally {
      this.#erasures.settle(erasures);
      await this.#refresh().catch(() => undefined);
    }
  }

  #begun(): readonly KeptErasure[] {
    return this.#erasures.present.all.filter(({ state }) => state === 'begun');
  }

  /** Continues interrupted erasures. */
  async #resume(): Promise<void> {
    const begun = this.#begun();
    await this.#eraseFound(begun, { resumed: new Set(begun.map(({ digest }) => digest)) });
  }

  /**
   * Erases data up to the time of each erasure. The ids of the tags are unknown and found by their digests. Later data belongs to
   * a new holder of the tag.
   *
   * @param resumed Digests of erasures that were begun before: their rows may be gone without a change in the journal.
   * @param now Data from after this moment is erased too.
   */
  async #eraseFound(
    erasures: readonly KeptErasure[],
    { resumed, now }: { readonly resumed: ReadonlySet<string>; readonly now?: Timestamp },
  ): Promise<void> {
    if (erasures.length === 0) return;
    const wanted = new ErasureIndex(tagDigests, erasures);
    const found = await findTags(this.#database, (id) => wanted.find(id) !== undefined);
    for (const id of found) {
      const erasure = wanted.find(id);
      if (erasure === undefined) continue;
      wanted.remove(erasure);
      const isGone = (at: Timestamp): boolean => at <= erasure.until || (now !== undefined && at > now);
      await this.#erase(id, erasure, isGone);
    }
    // The other tags had no data left.
    await this.#setState(wanted.all, 'begun', 'removed', resumed);
    await this.#refresh();
  }

  async #erase(id: TallyId, erasure: KeptErasure, isGone: (at: Timestamp) => boolean): Promise<void> {
    await eraseTag(
      this.#database,
      { id, isGone },
      {
        // False if another server has ended the erasure before.
        end: async (transaction) => (await setState(transaction, [erasure], 'begun', 'removed')).length > 0,
        told: { kind: 'erased', digest: erasure.digest },
      },
    );
  }

  /** @param told Digests of the erasures that get a change in the journal. */
  async #setState(
    erasures: readonly KeptErasure[],
    before: ErasureState,
    after: ErasureState,
    told?: ReadonlySet<string>,
  ): Promise<void> {
    for (let start = 0; start < erasures.length; start += AT_ONCE) {
      const some = erasures.slice(start, start + AT_ONCE);
      await this.#database.write(async (transaction) => {
        for (const digest of await setState(transaction, some, before, after)) {
          if (told?.has(digest) === true) transaction.tell({ kind: 'erased', digest });
        }
      }, some.length);
    }
    if (erasures.length > 0) await this.#refresh();
  }
}

async function put(transaction: Transaction, erasures: readonly Erasure[], statement: string): Promise<void> {
  // If an erasure is given twice, the last one counts.
  const all = [...new Map(erasures.map((erasure) => [erasure.digest, erasure])).values()];
  if (all.length === 0) return;
  await transaction.write(statement, [
    transaction.site,
    all.map(({ digest }) => digest),
    all.map(({ key }) => key),
    all.map(({ until }) => until),
    all.map(({ expiresAt }) => expiresAt),
  ]);
  transaction.touch('erasures');
}

/** @returns Digests of the changed erasures. */
async function setState(
  transaction: Transaction,
  erasures: readonly KeptErasure[],
  before: ErasureState,
  after: ErasureState,
): Promise<readonly string[]> {
  const changed = await transaction.read<{ digest: string }>(updateState, [
    transaction.site,
    erasures.map(({ digest }) => digest),
    erasures.map(({ until }) => until),
    before,
    after,
  ]);
  if (changed.length > 0) transaction.touch('erasures');
  return changed.map(({ digest }) => digest);
}

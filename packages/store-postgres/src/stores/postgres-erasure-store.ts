import {
  isTallybookError,
  ManagedResource,
  type Erasure,
  type ErasureRequest,
  type ErasureState,
  type ErasureStore,
  type KeptErasure,
  type Subscription,
  type TallyId,
  type Timestamp,
  type Trace,
} from '@tallybook/domain';
import type { ErasureKnowledge } from '../database/erasure-knowledge.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { SiteRow } from '../database/site-row.js';
import type { Transaction } from '../database/transaction.js';
import { ErasureIndex } from '../rows/erasure-index.js';
import { eraseTag } from './erase-tag.js';
import { findTags } from './find-tags.js';
import { traceTag } from './trace-tag.js';

/** $1: site, $2: digests, $3: keys, $4: until, $5: expiry, $6: states. */
const upsert = `INSERT INTO tallybook.erasure (site, digest, key, until, expires_at, state)
  SELECT $1, t.digest, t.key, t.until, t.expires_at, t.state
  FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
    AS t (digest, key, until, expires_at, state)
  ON CONFLICT (site, digest) DO UPDATE
  SET key = excluded.key, until = excluded.until, expires_at = excluded.expires_at, state = excluded.state`;

/** $1: site, $2: digests, $3: the state that they have, $4: the one that they get. */
const updateState = `UPDATE tallybook.erasure SET state = $4
  WHERE site = $1 AND digest = ANY ($2::text[]) AND state = $3 RETURNING digest`;

/** $1: site, $2: time. */
const deleteExpired = 'DELETE FROM tallybook.erasure WHERE site = $1 AND expires_at <= $2 RETURNING digest';

/** Erasures that are written together. */
const AT_ONCE = 500;

/** Everything goes. */
const always = (): boolean => true;

/**
 * Erases tags from all tables of a site: a row for each erasure, which is written first, so that the next opening, or another
 * server, goes on with what was interrupted. Erasures are few, and all are in memory; what another server erases is known within
 * 250 ms, and in every transaction that writes.
 */
export class PostgresErasureStore extends ManagedResource implements ErasureStore {
  readonly #database: PostgresDatabase;
  readonly #erasures: ErasureKnowledge;
  #watching: Subscription | undefined;

  constructor(database: PostgresDatabase) {
    super();
    this.#database = database;
    this.#erasures = database.erasures;
  }

  refusedUntil(id: TallyId): Timestamp | undefined {
    const { present } = this.#erasures;
    return present.isEmpty ? undefined : present.find(id)?.until;
  }

  list(): Promise<readonly KeptErasure[]> {
    return this.run(async () => {
      await this.#refresh();
      return this.#erasures.present.all;
    });
  }

  erase({ ids, until, expiresAt }: ErasureRequest): Promise<readonly string[]> {
    return this.run(async () => {
      const begun: KeptErasure[] = [];
      for (const id of ids) {
        const erasure = { ...this.#erasures.present.nameOf(id), until, expiresAt, state: 'begun' } as const;
        // Before it is written: what comes from now on must not be written behind what is erased.
        this.#erasures.begin({ key: erasure.key, digest: erasure.digest, until, expiresAt, state: 'begun' });
        begun.push(erasure);
      }
      await this.#put(begun);
      for (const [index, id] of ids.entries()) {
        const erasure = begun[index];
        if (erasure !== undefined) await this.#erase(id, erasure, always, 'begun');
      }
      await this.#refresh();
      return begun.map(({ digest }) => digest);
    });
  }

  add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
    return this.run(async () => {
      await this.#refresh();
      const { present } = this.#erasures;
      const added = erasures
        .filter((erasure) => (present.get(erasure)?.until ?? -1) < erasure.until)
        .map(({ key, digest, until, expiresAt }): KeptErasure => {
          return { key, digest, until, expiresAt, state: 'removed' };
        });
      for (const erasure of added) this.#erasures.begin(erasure);
      await this.#put(added);
      await this.#eraseFound(added, now);
    });
  }

  expire(now: Timestamp): Promise<number> {
    return this.run(async () => {
      const count = await this.#database.write(async (transaction) => {
        const gone = await transaction.read(deleteExpired, [transaction.site, now]);
        if (gone.length > 0) transaction.touch('erasures');
        return gone.length;
      });
      await this.#refresh();
      return count;
    });
  }

  /** What is left in the files of the database, its log and its backups, the database removes in its time. */
  scrub(): Promise<boolean> {
    return this.run(async () => {
      await this.#refresh();
      const due = this.#erasures.present.all.filter(({ state }) => state === 'removed');
      await this.#setState(due, 'removed', 'done');
      return true;
    });
  }

  async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
    await using view = await this.run(() => this.#database.view());
    yield* traceTag(view, this.#database.site, id);
  }

  formerFiles(): Promise<readonly string[]> {
    return this.run(() => Promise.resolve([]));
  }

  protected override async onOpen(): Promise<void> {
    await this.#database.acquire();
    try {
      await this.#refresh();
      this.#watching = this.#database.changed.subscribe(
        (row) => void this.#refresh(row).catch(() => undefined),
      );
      await this.#eraseFound(this.#erasures.present.all.filter(({ state }) => state === 'begun'));
    } catch (error) {
      // It goes on at the next opening; until then what is left of it can be read, as before.
      if (isTallybookError(error, 'STORE_WRITE_FAILED')) return;
      await this.onClose();
      throw error;
    }
  }

  protected override async onClose(): Promise<void> {
    this.#watching?.unsubscribe();
    this.#watching = undefined;
    await this.#database.release();
  }

  /** Reads erasures that are not in memory yet. */
  async #refresh(seen?: SiteRow): Promise<void> {
    if (seen !== undefined && this.#erasures.isOf(seen)) return;
    const row = seen ?? (await this.#database.readRow());
    if (this.#erasures.isOf(row)) return;
    await this.#database.read((connection) => this.#erasures.load(connection, this.#database.site, row));
  }

  /** Writes erasures that are begun. If it rejects, nobody is erased unless the database says so. */
  async #put(erasures: readonly KeptErasure[]): Promise<void> {
    try {
      for (let start = 0; start < erasures.length; start += AT_ONCE) {
        const some = erasures.slice(start, start + AT_ONCE);
        await this.#database.write((transaction) => put(transaction, some), some.length);
      }
    } finally {
      this.#erasures.settle(erasures);
      await this.#refresh().catch(() => undefined);
    }
  }

  /** Erases what there is of tags whose ids are not known any more. */
  async #eraseFound(erasures: readonly KeptErasure[], now?: Timestamp): Promise<void> {
    if (erasures.length === 0) return;
    const wanted = new ErasureIndex(erasures);
    const found = await findTags(this.#database, (id) => wanted.find(id) !== undefined);
    for (const id of found) {
      const erasure = wanted.find(id);
      if (erasure === undefined) continue;
      wanted.remove(erasure);
      const isGone = (at: Timestamp): boolean => at <= erasure.until || (now !== undefined && at > now);
      await this.#erase(id, erasure, now === undefined ? always : isGone, erasure.state);
    }
    // Of the others nothing was left.
    await this.#setState(wanted.all, 'begun', 'removed');
    await this.#refresh();
  }

  /** @param before The state in which another server has not been yet: only then the journal is told. */
  async #erase(
    id: TallyId,
    { digest }: KeptErasure,
    isGone: (at: Timestamp) => boolean,
    before: ErasureState,
  ): Promise<void> {
    await eraseTag(
      this.#database,
      { id, isGone },
      {
        end: async (transaction) => (await setState(transaction, [digest], before, 'removed')) > 0,
        told: { kind: 'erased', digest },
      },
    );
  }

  async #setState(
    erasures: readonly KeptErasure[],
    before: ErasureState,
    after: ErasureState,
  ): Promise<void> {
    const digests = erasures.map(({ digest }) => digest);
    for (let start = 0; start < digests.length; start += AT_ONCE) {
      const some = digests.slice(start, start + AT_ONCE);
      await this.#database.write((transaction) => setState(transaction, some, before, after), some.length);
    }
    if (digests.length > 0) await this.#refresh();
  }
}

async function put(transaction: Transaction, erasures: readonly KeptErasure[]): Promise<void> {
  // Of one that is named twice, the last counts.
  const all = [...new Map(erasures.map((erasure) => [erasure.digest, erasure])).values()];
  if (all.length === 0) return;
  await transaction.write(upsert, [
    transaction.site,
    all.map(({ digest }) => digest),
    all.map(({ key }) => key),
    all.map(({ until }) => until),
    all.map(({ expiresAt }) => expiresAt),
    all.map(({ state }) => state),
  ]);
  transaction.touch('erasures');
}

async function setState(
  transaction: Transaction,
  digests: readonly string[],
  before: ErasureState,
  after: ErasureState,
): Promise<number> {
  const changed = await transaction.read(updateState, [transaction.site, digests, before, after]);
  if (changed.length > 0) transaction.touch('erasures');
  return changed.length;
}

import type { PeopleStore, Subscription, TallyId } from '@tallybook/domain';
import {
  ErasingStore,
  nameOfErasure,
  type DecideErasures,
  type ErasedScans,
  type ErasureIndex,
  type ErasureName,
  type KeptErasure,
  type Trace,
} from '@tallybook/domain/record';
import type { ErasureKnowledge } from '../../database/erasure-knowledge.js';
import type { PostgresDatabase } from '../../database/postgres-database.js';
import type { SiteRow } from '../../database/site-statements.js';
import type { Transaction } from '../../database/transaction.js';
import { eraseTag, slices } from './erase-tag.js';
import { findTags, traceTag } from './find-tags.js';

/** $1: site; of each erasure: $2: key, $3: digest, $4: from, $5: until, $6: expiry, $7: state, $8: whether it is closed. */
const upsert = `INSERT INTO tallybook.erasure (site, key, digest, from_at, until, expires_at, state, is_closed)
  SELECT $1, t.* FROM
    unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::boolean[]) AS t
  ON CONFLICT (site, key, digest, from_at) DO UPDATE
    SET until = excluded.until, expires_at = excluded.expires_at, state = excluded.state,
      is_closed = excluded.is_closed`;

/** $1: site; of each erasure: $2: key, $3: digest, $4: from. */
const remove = `DELETE FROM tallybook.erasure AS e
  USING unnest($2::text[], $3::text[], $4::bigint[]) AS t (key, digest, from_at)
  WHERE e.site = $1 AND e.key = t.key AND e.digest = t.digest AND e.from_at = t.from_at`;

/** Erasures that are written together. */
const AT_ONCE = 500;

/**
 * Erases tags from all tables of a site. Erasures are few, and all are in memory. Those of other servers are known within 250 ms,
 * and in every transaction that writes. The database itself removes bytes from its files, its log and its backups some time later.
 */
export class PostgresErasureStore extends ErasingStore {
  protected readonly index: ErasureIndex<KeptErasure>;
  protected override readonly people: PeopleStore;
  readonly #database: PostgresDatabase;
  readonly #erasures: ErasureKnowledge;
  #watching: Subscription | undefined;

  /** @param people Persons; it is used while the storage opens, too. */
  constructor(database: PostgresDatabase, people: PeopleStore) {
    super();
    this.people = people;
    this.#database = database;
    this.#erasures = database.erasures;
    this.index = database.erasures.index;
    database.onOpening(() => this.onOpen());
    database.onClosing(() => this.onClose());
  }

  async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
    await using view = await this.run(() => this.#database.view());
    yield* traceTag(view, id);
  }

  protected override run<T>(operation: () => Promise<T>): Promise<T> {
    return this.#database.run(operation);
  }

  protected override async onOpen(): Promise<void> {
    this.#watching = this.#database.changed.subscribe((row) => void this.refresh(row).catch(() => undefined));
    await super.onOpen().catch(async (error: unknown) => {
      await this.onClose();
      throw error;
    });
  }

  protected override onClose(): Promise<void> {
    this.#watching?.unsubscribe();
    this.#watching = undefined;
    return Promise.resolve();
  }

  protected async refresh(seen?: SiteRow): Promise<void> {
    if (seen !== undefined && this.#erasures.isOf(seen)) return;
    const row = seen ?? (await this.#database.readRow());
    if (this.#erasures.isOf(row)) return;
    await this.#erasures.load(this.#database, row);
  }

  protected async change(decide: DecideErasures): Promise<void> {
    try {
      await this.#database.write((transaction) => change(transaction, decide));
    } finally {
      await this.refresh().catch(() => undefined);
    }
  }

  protected eraseRows(tag: ErasedScans, end: DecideErasures): Promise<void> {
    return eraseTag(this.#database, tag, this.people, (transaction) => change(transaction, end));
  }

  protected findTags(isWanted: (id: TallyId) => boolean): Promise<readonly TallyId[]> {
    return findTags(this.#database, this.people, isWanted);
  }
}

/** Decides in the transaction: nobody else writes at the site until it ends. */
async function change(transaction: Transaction, decide: DecideErasures): Promise<void> {
  await transaction.locked();
  const { put = [], removed = [], told = [], key } = decide(await transaction.erasures());
  // If an erasure is given twice, the last one counts.
  const all = [...new Map(put.map((each) => [nameOfErasure(each), each])).values()];
  for (const some of slices(all, AT_ONCE)) {
    await transaction.write(
      upsert,
      ...columnsOf(some),
      some.map(({ until }) => until),
      some.map(({ expiresAt }) => expiresAt),
      some.map(({ state }) => state),
      some.map(({ isClosed }) => isClosed === true),
    );
  }
  for (const some of slices(removed, AT_ONCE)) await transaction.write(remove, ...columnsOf(some));
  if (key !== undefined) transaction.setErasureKey(key);
  if (all.length > 0 || removed.length > 0 || key !== undefined) transaction.touch('erasures');
  transaction.tell(...told.map((digest) => ({ kind: 'erased', digest }) as const));
}

function columnsOf(erasures: readonly ErasureName[]): readonly unknown[] {
  return [
    erasures.map(({ key }) => key),
    erasures.map(({ digest }) => digest),
    erasures.map(({ from }) => from),
  ];
}

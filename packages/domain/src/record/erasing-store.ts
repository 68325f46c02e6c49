import { isTallybookError } from '../errors.js';
import { ManagedResource } from '../lifecycle.js';
import { eraseCarriedRows, eraseErasedPersons, erasePersons } from './erase-persons.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { TallyId } from '../values/tally-id.js';
import { BEGINNING, type Timestamp } from '../values/timestamp.js';
import type {
  ErasedHolding,
  ErasureRequest,
  ErasureStore,
  KeptErasure,
  Trace,
} from './ports/erasure-store.js';
import { requireRoom, type ErasureIndex } from './values/erasure-index.js';
import { nameOfErasure, plainErasure, type Erasure, type ErasureState } from './values/erasure.js';

/** A tag whose rows are being erased. */
export interface ErasedScans {
  readonly id: TallyId;
  /** Whether data of this moment is erased. */
  readonly isGone: (at: Timestamp) => boolean;
  /** Data of an unknown time stays, and so does the name: another holder followed. */
  readonly isClosed?: true;
}

/** Changes of the stored erasures, written together. */
interface ErasureChanges {
  readonly put?: readonly KeptErasure[];
  readonly removed?: readonly KeptErasure[];
  /** Digests that get an `erased` change in the journal. */
  readonly told?: readonly string[];
  /** The new key of the site. */
  readonly key?: string;
}

/** Decides from the stored erasures. It may be called again, if the transaction is tried again. */
export type DecideErasures = (present: ErasureIndex<KeptErasure>) => ErasureChanges;

/**
 * An {@link ErasureStore} over a few operations of a storage. The row of an erasure is written first, so that the next opening,
 * or another server, goes on with an erasure that was interrupted.
 *
 * begun -> rows removed, in the last transaction `removed` and told to the journal -> bytes removed: `done`
 */
export abstract class ErasingStore extends ManagedResource implements ErasureStore {
  /** Names of the erasures that are being made here at this moment. */
  readonly #busy = new Set<string>();

  /** The persons of the storage; absent if it knows none. */
  protected readonly people?: PeopleStore | undefined;
  /** The known erasures. Always the same object. */
  protected abstract readonly index: ErasureIndex<KeptErasure>;
  /** Reads the erasures of other processes that are not in the index yet. Also called once when the store opens. */
  protected abstract refresh(): Promise<void>;
  /** Writes what is decided, in one transaction, and puts it into the index. If it rejects, the index has what is stored. */
  protected abstract change(decide: DecideErasures): Promise<void>;
  /**
   * Erases all rows about a tag, some at a time, so that other writes come in between. The changes of `end` are written in one
   * transaction with the last erased rows. If it was interrupted, it goes on with the remaining rows.
   */
  protected abstract eraseRows(tag: ErasedScans, end: DecideErasures): Promise<void>;
  /** Finds which of the wanted tags have rows. All writes that were called for before have ended then. */
  protected abstract findTags(isWanted: (id: TallyId) => boolean): Promise<readonly TallyId[]>;

  abstract trace(id: TallyId): AsyncIterable<Trace>;

  get key(): string {
    return this.index.key;
  }

  isRefused(id: TallyId, at: Timestamp | undefined): boolean {
    return this.index.isRefused(id, at);
  }

  of(id: TallyId): readonly Erasure[] {
    return this.index.of(id).map(plainErasure);
  }

  list(): Promise<readonly KeptErasure[]> {
    return this.run(async () => {
      await this.refresh();
      return this.index.all;
    });
  }

  erase({ ids, holdings = [], persons = [], until, expiresAt }: ErasureRequest): Promise<readonly string[]> {
    return this.run(async () => {
      const { people } = this;
      const whole = [...ids, ...persons.flatMap((person) => people?.lastResortOf(person) ?? [])];
      const parts: readonly ErasedHolding[] = [
        ...whole.slice(0, ids.length).map((id) => ({ id, from: BEGINNING, until })),
        ...holdings,
        ...whole.slice(ids.length).map((id) => ({ id, from: BEGINNING, until })),
      ];
      const asked = parts.map(({ id, from, until: end, isClosed }): KeptErasure => ({
        ...this.index.nameOf(id),
        ...{ from, until: end, ...(isClosed && { isClosed }), expiresAt, state: 'begun' },
      }));
      await this.#work(asked, async () => {
        let begun: readonly KeptErasure[] = [];
        await this.change((present) => {
          requireRoom(present, asked);
          begun = asked.map((each) => latestOf(each, present.get(each)));
          return { put: begun };
        });
        if (people !== undefined) {
          await erasePersons(people, { persons, tags: ids });
          await eraseCarriedRows(people, this);
        }
        const isWhole = new Set(whole);
        for (const [index, part] of parts.entries()) {
          const erasure = begun[index];
          if (erasure === undefined) continue;
          // Without another holder, all data of the tag is theirs, also that of a clock that was ahead.
          const isGone = isWhole.has(part.id) ? (): boolean => true : isWithin(part);
          await this.#erase({ id: part.id, isGone, ...(part.isClosed && { isClosed: true }) }, erasure);
        }
      });
      return asked.map(({ digest }) => digest);
    });
  }

  add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
    return this.run(async () => {
      const asked = erasures.map((each): KeptErasure => ({ ...plainErasure(each), state: 'begun' }));
      await this.#work(asked, async () => {
        let begun: KeptErasure[] = [];
        let resumed = new Set<string>();
        await this.change((present) => {
          requireRoom(present, asked);
          begun = [];
          resumed = new Set();
          for (const each of asked) {
            const known = present.get(each);
            const isBegun = known?.state === 'begun';
            if (known !== undefined && known.until >= each.until && !isBegun) continue;
            if (isBegun) resumed.add(each.digest);
            begun.push(isBegun ? latestOf(each, known) : each);
          }
          return { put: begun };
        });
        await this.#eraseFound(begun, { resumed, now });
      });
    });
  }

  shorten(erasures: readonly Erasure[]): Promise<void> {
    return this.run(() =>
      this.change((present) => ({
        put: erasures.flatMap((each): KeptErasure[] => {
          const known = present.get(each);
          if (known === undefined || known.state === 'begun' || known.until <= each.until) return [];
          const { until, expiresAt, isClosed } = each;
          return [{ ...known, until, expiresAt, ...(isClosed && { isClosed }) }];
        }),
      })),
    );
  }

  adoptKey(key: string): Promise<void> {
    return this.run(() => this.change((present) => (present.isEmpty && present.key !== key ? { key } : {})));
  }

  expire(now: Timestamp): Promise<number> {
    return this.run(async () => {
      let removed: readonly KeptErasure[] = [];
      await this.change((present) => {
        removed = present.all.filter(({ expiresAt }) => expiresAt <= now);
        return { removed };
      });
      return removed.length;
    });
  }

  scrub(): Promise<boolean> {
    return this.run(async () => {
      await this.refresh();
      await this.#resume();
      const due = this.index.all.filter(({ state }) => state === 'removed');
      const isDone = await this.scrubBytes();
      if (isDone && due.length > 0) await this.change((present) => ended(present, due, 'done'));
      return isDone;
    });
  }

  formerFiles(): Promise<readonly string[]> {
    return this.run(() => Promise.resolve([]));
  }

  /** Removes the bytes of erased rows: see {@link scrub}. Without an override, the storage does that by itself. */
  protected scrubBytes(): Promise<boolean> {
    return Promise.resolve(true);
  }

  protected override async onOpen(): Promise<void> {
    try {
      await this.refresh();
      await this.#resume();
    } catch (error) {
      // On a full disk the erasure goes on at the next opening; until then its remaining rows can be read, as before.
      if (!isTallybookError(error, 'STORE_WRITE_FAILED')) throw error;
    }
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }

  /** The tags are refused from the call on, before rows are written: otherwise new data could be written behind the erasure. */
  async #work(asked: readonly KeptErasure[], erase: () => Promise<void>): Promise<void> {
    const names = asked.map(nameOfErasure);
    const answer = this.index.ask(asked);
    for (const name of names) this.#busy.add(name);
    try {
      await erase();
    } finally {
      for (const name of names) this.#busy.delete(name);
      await this.refresh().catch(() => undefined);
      answer();
    }
  }

  /** Continues interrupted erasures. */
  async #resume(): Promise<void> {
    const begun = this.index.all.filter(
      (each) => each.state === 'begun' && !this.#busy.has(nameOfErasure(each)),
    );
    await this.#eraseFound(begun, { resumed: new Set(begun.map(({ digest }) => digest)) });
  }

  /**
   * Erases the data within each erasure. The ids of the tags are unknown and found by their digests. Later data belongs to a new
   * holder of the tag.
   *
   * @param resumed Digests of erasures that were begun before: their rows may be gone without a change in the journal.
   * @param now Data from after this moment is erased too.
   */
  async #eraseFound(
    erasures: readonly KeptErasure[],
    { resumed, now }: { readonly resumed: ReadonlySet<string>; readonly now?: Timestamp },
  ): Promise<void> {
    if (erasures.length === 0) return;
    const wanted = this.index.only(erasures);
    if (this.people !== undefined) {
      await eraseErasedPersons(this.people, wanted);
      await eraseCarriedRows(this.people, wanted);
    }
    for (const id of await this.findTags((tag) => wanted.of(tag).length > 0)) {
      for (const erasure of wanted.of(id)) {
        const { isClosed } = erasure;
        const isWithinIt = isWithin(erasure);
        const isGone = (at: Timestamp): boolean =>
          isWithinIt(at) || (now !== undefined && at > now && isClosed !== true);
        wanted.remove(erasure);
        await this.#erase({ id, isGone, ...(isClosed && { isClosed }) }, erasure);
      }
    }
    // The other tags had no data left.
    const left = wanted.all;
    if (left.length > 0) await this.change((present) => ended(present, left, 'removed', resumed));
  }

  #erase(tag: ErasedScans, erasure: KeptErasure): Promise<void> {
    const told = new Set([erasure.digest]);
    return this.eraseRows(tag, (present) => ended(present, [erasure], 'removed', told));
  }
}

function isWithin({ from, until }: Pick<Erasure, 'from' | 'until'>): (at: Timestamp) => boolean {
  return (at) => at >= from && at <= until;
}

/**
 * Erasures in their next state. Leaves out those that have changed meanwhile: another server may have ended one, and an erasure
 * may be shortened during scrubbing.
 */
function ended(
  present: ErasureIndex<KeptErasure>,
  erasures: readonly KeptErasure[],
  state: ErasureState,
  told: ReadonlySet<string> = new Set(),
): ErasureChanges {
  const put = erasures
    .filter((each) => {
      const known = present.get(each);
      return known?.until === each.until && known.state === each.state;
    })
    .map((each) => ({ ...each, state }));
  return { put, told: put.map(({ digest }) => digest).filter((digest) => told.has(digest)) };
}

/** The erasure, with the end of the known one if that is later. */
function latestOf(erasure: KeptErasure, known: KeptErasure | undefined): KeptErasure {
  if (known === undefined || known.until <= erasure.until) return erasure;
  return { ...erasure, until: known.until, expiresAt: known.expiresAt };
}

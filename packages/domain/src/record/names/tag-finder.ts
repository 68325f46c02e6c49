import { Gate } from '../gate.js';
import type { MappingStore } from '../../ports/names/mapping-store.js';
import { implicitPerson, type PersonId } from '../../values/people/person.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { Journal } from '../../ports/record/journal.js';
import type { Pause } from '../turns.js';
import { DAY_MAX, type Day } from '../../values/day.js';
import {
  ambiguous,
  decidedReading,
  remainingReadings,
  type IdReading,
  type IdReadings,
  type TypedIds,
} from './typed-ids.js';
import type { Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import { addReaders, unlessDamaged } from './unnamed-tags.js';

/** Tags that are looked up one by one on a day. For more, all entries of the day are read. */
const FEW_TAGS = 4;

/** No entry of a timeline is in the future, so the last one holds. */
const NOW = Number.MAX_SAFE_INTEGER as Timestamp;

/** The latest scan of a tag. */
export interface LastSeen {
  readonly at: Timestamp;
  readonly day: Day;
  /** Absent if the scan is not among the latest changes of the journal. */
  readonly reader?: string;
}

/** What is known of a tag. A tag may also be known by a correction or a provisional scan alone. */
export interface KnownTag {
  /** The name of the present holder. */
  readonly name?: Name;
  /** The present holder. Absent if nobody holds it. */
  readonly person?: PersonId;
  readonly isLost?: true;
  readonly lastSeen?: LastSeen;
}

/** A reading of a text, with what is known of its tag. */
export type FoundTag = IdReading & KnownTag;

export interface TagFinderDependencies {
  readonly typed: TypedIds;
  readonly mapping: Pick<MappingStore, 'get'>;
  /** Knows who holds a tag, and which tags are lost. Default: each tag with a name is a person of its own. */
  readonly people?: Pick<PeopleStore, 'holderAt'>;
  /** Default: only tags with a name are known. */
  readonly days?: Pick<DayStore, 'list' | 'load' | 'scans'>;
  /** Tags of corrections and of provisional scans, which are known too. Default: none. */
  readonly mentioned?: () => Promise<Iterable<TallyId>>;
  /** Gives the readers of the latest scans. Default: none. */
  readonly journal?: Journal;
  /** Lets other work run. Default: no pauses. */
  readonly pause?: Pause;
}

/**
 * Finds the tags that people mean by what they write. Only where two readings of a text remain, it looks which of the tags are
 * known: have a name, a scan on any day, or are mentioned. Damaged days are left out.
 */
export class TagFinder {
  readonly typed: TypedIds;
  readonly #parts: TagFinderDependencies;
  readonly #pause: Pause;
  /** One search at a time: each reads a row of every day. */
  readonly #gate = new Gate(1);

  constructor(parts: TagFinderDependencies) {
    this.typed = parts.typed;
    this.#parts = parts;
    this.#pause = parts.pause ?? (() => Promise.resolve());
  }

  /**
   * The tag of a text, which may be untrusted; at once, if the stores need not be asked.
   *
   * @param format Spelling of the text. Default: decided by the readers.
   * @throws {TallybookError} Throws or rejects with `INVALID_TALLY_ID`, `INVALID_OPTION`, `AMBIGUOUS_TALLY_ID`, and as the stores do.
   */
  find(text: unknown, format?: unknown): TallyId | Promise<TallyId> {
    const readings = this.typed.readings(text, format);
    return decidedReading(readings)?.id ?? this.#find(readings, text, format);
  }

  /**
   * The tags that a text may mean, with what is known of them: one, or several of which a person must choose. Rejects as
   * {@link find}, but not with `AMBIGUOUS_TALLY_ID`.
   */
  async look(text: unknown, format?: unknown): Promise<readonly FoundTag[]> {
    const readings = this.typed.readings(text, format);
    const known = await this.known(idsOf(readings));
    return this.#remaining(readings, known, text, format).map((each) => ({ ...each, ...known.get(each.id) }));
  }

  /** What is known of tags. A tag of which nothing is known is left out. */
  async known(ids: Iterable<TallyId>): Promise<ReadonlyMap<TallyId, KnownTag>> {
    const wanted = new Set(ids);
    if (wanted.size === 0) return new Map();
    return await this.#gate.run(() => this.#known(wanted));
  }

  async #known(ids: ReadonlySet<TallyId>): Promise<ReadonlyMap<TallyId, KnownTag>> {
    const { days, journal, mentioned } = this.#parts;
    const found = new Map<TallyId, KnownTag>();
    const unseen = new Set(ids);
    for (const id of (await mentioned?.()) ?? []) if (unseen.has(id)) found.set(id, {});
    for (const id of unseen) {
      const holder = await this.#holderOf(id);
      if (Object.keys(holder).length > 0) found.set(id, holder);
    }
    const seen = new Map<TallyId, LastSeen>();
    for (const day of [...((await days?.list(0 as Day, DAY_MAX)) ?? [])].reverse()) {
      if (unseen.size === 0) break;
      await this.#pause();
      for (const [id, at] of await this.#scansOf(day, unseen)) {
        unseen.delete(id);
        seen.set(id, { at, day });
      }
    }
    if (journal !== undefined) await addReaders(seen, journal, this.#pause);
    for (const [id, lastSeen] of seen) found.set(id, { ...found.get(id), lastSeen });
    return found;
  }

  async #holderOf(id: TallyId): Promise<KnownTag> {
    const { mapping, people } = this.#parts;
    if (people !== undefined) return people.holderAt(id, NOW);
    const name = await mapping.get(id);
    return name === undefined ? {} : { person: implicitPerson(id), name };
  }

  async #find(readings: IdReadings, text: unknown, format: unknown): Promise<TallyId> {
    const { likely, ifKnown } = readings;
    // The only likely reading stands while no other one is known, whether or not it is known itself.
    const others = await this.known(likely.length === 1 ? idsOf({ likely: [], ifKnown }) : idsOf(readings));
    const known = others.size === 0 ? others : await this.known(idsOf(readings));
    const remaining = this.#remaining(readings, known, text, format);
    const [only] = remaining;
    if (only === undefined || remaining.length > 1) throw ambiguous(remaining);
    return only.id;
  }

  #remaining(
    readings: IdReadings,
    known: ReadonlyMap<TallyId, KnownTag>,
    text: unknown,
    format: unknown,
  ): readonly IdReading[] {
    const remaining = remainingReadings(readings, (id) => known.has(id));
    if (remaining.length === 0) throw this.typed.refusal(String(text), format);
    return remaining;
  }

  /** The latest scan of each of these tags on a day. */
  async #scansOf(day: Day, ids: ReadonlySet<TallyId>): Promise<readonly (readonly [TallyId, Timestamp])[]> {
    const { days } = this.#parts;
    if (ids.size > FEW_TAGS) {
      const record = await days?.load(day).catch(unlessDamaged);
      const entries = record?.entries.filter(({ id }) => ids.has(id)) ?? [];
      return entries.map(({ id, last }) => [id, last]);
    }
    const found: [TallyId, Timestamp][] = [];
    for (const id of ids) {
      const last = (await days?.scans(day, id).catch(unlessDamaged))?.at(-1);
      if (last !== undefined) found.push([id, last]);
    }
    return found;
  }
}

export function idsOf({ likely, ifKnown }: IdReadings): readonly TallyId[] {
  return [...likely, ...ifKnown].map(({ id }) => id);
}

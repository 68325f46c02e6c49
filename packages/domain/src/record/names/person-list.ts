import { parseName, type Name } from '../../values/name.js';
import { groupOfName, parseGroupName } from '../../values/people/group.js';
import { parsePersonId, type PersonId } from '../../values/people/person.js';
import { parseNumber } from '../../values/people/plain-people.js';
import type { TallyId } from '../../values/tally-id.js';
import type { ListedPerson, ListRow } from './listed-person.js';
import { invalidList, unlessRefused, type RefusedLine } from './refused-line.js';
import { idsOf, type KnownTag } from './tag-finder.js';
import {
  ambiguous,
  decidedReading,
  readingsOfList,
  remainingReadings,
  type IdReading,
  type IdReadings,
  type TypedIds,
} from './typed-ids.js';

/** Maximum number of lines in a list of persons. */
export const NAME_LIST_MAX_LINES = 10_000;
/** Maximum number of reported refused lines. A file with more is not a list of persons. */
const REFUSED_MAX_LINES = 1_000;
/** As many groups as a person may get at once. */
const ROW_MAX_GROUPS = 20;

/** A tag of a row. */
export interface ListedTag extends IdReading {
  /** The id as it is written in the list. */
  readonly text: string;
}

/** A row whose cells are valid. */
export interface PersonRow {
  readonly line: number;
  readonly person?: PersonId;
  /** Each once. */
  readonly tags: readonly ListedTag[];
  /** Absent without such a column, and for an empty cell. */
  readonly number?: string;
  readonly name: Name;
  /** Names of groups, each group once. Absent without such a column. */
  readonly groups?: readonly string[];
}

/** A row with valid cells, and ids that can be read. */
interface ReadableRow extends Omit<PersonRow, 'tags'> {
  readonly tags: readonly ReadableTag[];
}

interface ReadableTag {
  readonly text: string;
  readonly readings: IdReadings;
}

/** Checks a list of persons row by row, and then decides on the readings of its ids. */
export class PersonList {
  readonly rows: PersonRow[] = [];
  readonly refused: RefusedLine[] = [];
  readonly #typed: TypedIds;
  readonly #format: unknown;
  readonly #lines: (ReadableRow | RefusedLine)[] = [];
  #unreadable = 0;

  /** @param format Spelling of all ids of the list. Default: decided by the readers. */
  constructor(typed: TypedIds, format?: unknown) {
    this.#typed = typed;
    this.#format = format;
  }

  /** Whether the rest of the list need not be read, because the list will be refused anyway. */
  get isDone(): boolean {
    return this.#lines.length > NAME_LIST_MAX_LINES || this.#unreadable >= REFUSED_MAX_LINES;
  }

  /** Takes the next row. */
  add(listed: ListRow): void {
    const read = 'code' in listed ? listed : this.#read(listed);
    if ('code' in read) this.#unreadable++;
    this.#lines.push(read);
  }

  /**
   * Ids for which {@link settle} needs to know whether they are known.
   *
   * @param ofNumbers Whether to give all ids that were not written in hex, for {@link settle} to be shown.
   */
  idsToKnow(ofNumbers: boolean): ReadonlySet<TallyId> {
    const open = this.#tags().filter(({ readings }) => {
      const decided = decidedReading(readings);
      return decided === undefined || (ofNumbers && decided.format !== 'hex');
    });
    return new Set(open.flatMap(({ readings }) => idsOf(readings)));
  }

  /** Collects the rows and the refused lines. Call it once, after the last line. */
  settle(known: ReadonlyMap<TallyId, KnownTag>): void {
    const tags = this.#tags();
    const readings = readingsOfList(tags.map((each) => each.readings));
    const readingsOf = new Map(tags.map((each, index) => [each, readings[index] ?? each.readings]));
    const remainingOf = (tag: ReadableTag): readonly IdReading[] =>
      remainingReadings(readingsOf.get(tag) ?? tag.readings, (id) => known.has(id));
    for (const line of this.#lines) {
      if (this.refused.length >= REFUSED_MAX_LINES) return;
      if ('code' in line) this.refused.push(line);
      else this.#settle(line, remainingOf);
    }
  }

  #tags(): readonly ReadableTag[] {
    return this.#lines.flatMap((line) => ('code' in line ? [] : line.tags));
  }

  #read({ line, person, tags, number, name, groups }: ListedPerson): ReadableRow | RefusedLine {
    return unlessRefused(line, () => {
      if (this.#lines.length >= NAME_LIST_MAX_LINES)
        throw invalidList(`a list has at most ${NAME_LIST_MAX_LINES} lines; split it`);
      const written = number?.trim();
      return {
        line,
        ...(person !== undefined && { person: parsePersonId(person) }),
        tags: tags.map((text) => ({ text, readings: this.#typed.readings(text, this.#format) })),
        ...(written !== undefined && written !== '' && { number: parseNumber(written) }),
        name: parseName(name),
        ...(groups !== undefined && { groups: parseGroups(groups) }),
      };
    });
  }

  #settle(row: ReadableRow, remainingOf: (tag: ReadableTag) => readonly IdReading[]): void {
    const tags = new Map<TallyId, ListedTag>();
    for (const tag of row.tags) {
      const { text } = tag;
      const remaining = remainingOf(tag);
      const reading = unlessRefused(row.line, () => {
        const [first] = remaining;
        if (first === undefined) throw this.#typed.refusal(text, this.#format);
        if (remaining.length > 1) throw ambiguous(remaining);
        return first;
      });
      if ('code' in reading) {
        const isOpen = reading.code === 'AMBIGUOUS_TALLY_ID';
        const readings = remaining.map(({ id, format }) => ({ id, format }));
        this.refused.push(isOpen ? { ...reading, readings } : reading);
        return;
      }
      const { id, format } = reading;
      if (!tags.has(id)) tags.set(id, { id, format, text });
    }
    this.rows.push({ ...row, tags: [...tags.values()] });
  }
}

function parseGroups(groups: readonly string[]): readonly string[] {
  const names = new Map(groups.map(parseGroupName).map((name) => [groupOfName(name), name]));
  if (names.size > ROW_MAX_GROUPS)
    throw invalidList(`a person has at most ${ROW_MAX_GROUPS} groups; this one has ${names.size}`);
  return [...names.values()];
}

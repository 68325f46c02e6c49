import { counted, isTallybookError, TallybookError, type ErrorCode } from '../../errors.js';
import {
  ambiguous,
  decidedReading,
  readingsOfList,
  remainingReadings,
  type IdReading,
  type IdReadings,
  type TypedIds,
} from './typed-ids.js';
import { isSameName, parseName, type Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import { idsOf, type KnownTag } from './tag-finder.js';

/** Maximum number of lines in a list of names. */
export const NAME_LIST_MAX_LINES = 10_000;
/** Maximum number of reported refused lines. A file with more is no list of names. */
const REFUSED_MAX_LINES = 1_000;

/** A refused line, and the reason. */
export interface RefusedLine {
  readonly line: number;
  readonly code: ErrorCode;
  /** For people. It holds no name, and no id unless the code is `AMBIGUOUS_TALLY_ID`. */
  readonly message: string;
  /** The readings of the id, of which a person must choose, for `AMBIGUOUS_TALLY_ID`. */
  readonly readings?: readonly IdReading[];
}

/** A line of a list: its content, or the reason why it cannot be read. Lines count from 1. */
export type ListedName =
  | { readonly line: number; readonly id: unknown; readonly name: unknown }
  | RefusedLine;

/** A valid line of a list. */
export interface ListedAssignment {
  readonly line: number;
  readonly id: TallyId;
  readonly name: Name;
  /** The id as it is written in the list. */
  readonly text: string;
  /** The spelling in which it was read. */
  readonly reading: IdReading;
}

/** A line with a valid name and an id that can be read. */
interface ReadableLine {
  readonly line: number;
  readonly text: string;
  readonly name: Name;
  readonly readings: IdReadings;
}

/** Checks a list of names line by line, and then collects its assignments. */
export class NameList {
  /** In the order of the list, each tag once. */
  readonly assignments: Map<TallyId, ListedAssignment> = new Map<TallyId, ListedAssignment>();
  readonly refused: RefusedLine[] = [];
  readonly #typed: TypedIds;
  readonly #format: unknown;
  readonly #lines: (ReadableLine | RefusedLine)[] = [];
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

  /** Takes the next line. */
  add(listed: ListedName): void {
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
    const open = this.#readable().filter(({ readings }) => {
      const decided = decidedReading(readings);
      return decided === undefined || (ofNumbers && decided.format !== 'hex');
    });
    return new Set(open.flatMap(({ readings }) => idsOf(readings)));
  }

  /** Collects the assignments and the refused lines. Call it once, after the last line. */
  settle(known: ReadonlyMap<TallyId, KnownTag>): void {
    const readable = this.#readable();
    const readings = readingsOfList(readable.map((each) => each.readings));
    const readingsOf = new Map(readable.map((each, index) => [each, readings[index] ?? each.readings]));
    for (const line of this.#lines) {
      if (this.refused.length >= REFUSED_MAX_LINES) return;
      if ('code' in line) this.refused.push(line);
      else
        this.#settle(
          line,
          remainingReadings(readingsOf.get(line) ?? line.readings, (id) => known.has(id)),
        );
    }
  }

  #readable(): readonly ReadableLine[] {
    return this.#lines.filter((line): line is ReadableLine => !('code' in line));
  }

  #read({ line, id, name }: Exclude<ListedName, RefusedLine>): ReadableLine | RefusedLine {
    return unlessRefused(line, () => {
      if (this.#lines.length >= NAME_LIST_MAX_LINES)
        throw invalid(`a list has at most ${NAME_LIST_MAX_LINES} lines; split it`);
      const readings = this.#typed.readings(id, this.#format);
      return { line, text: String(id), name: parseName(name), readings };
    });
  }

  #settle({ line, text, name }: ReadableLine, remaining: readonly IdReading[]): void {
    const settled = unlessRefused(line, () => {
      const [reading] = remaining;
      if (reading === undefined) throw this.#typed.refusal(text, this.#format);
      if (remaining.length > 1) throw ambiguous(remaining);
      const { id } = reading;
      const earlier = this.assignments.get(id);
      if (earlier === undefined) this.assignments.set(id, { line, id, name, text, reading });
      else if (!isSameName(earlier.name, name))
        throw invalid(`the tag has another name in line ${earlier.line}`);
    });
    if (settled === undefined) return;
    const isOpen = settled.code === 'AMBIGUOUS_TALLY_ID';
    const readings = remaining.map(({ id, format }) => ({ id, format }));
    this.refused.push(isOpen ? { ...settled, readings } : settled);
  }
}

/** The result of some work, or the refusal of the line. */
function unlessRefused<T>(line: number, work: () => T): T | RefusedLine {
  try {
    return work();
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return { line, code: error.code, message: error.message };
  }
}

/** The reason once, if it is that of each line of a list without a valid one: then the list is wrong, not its lines. */
export function causesOf({
  assignments,
  refused,
}: Pick<NameList, 'assignments' | 'refused'>): readonly RefusedLine[] {
  const [first, ...others] = refused;
  if (first === undefined || others.length === 0 || assignments.size > 0) return refused;
  const isSame = ({ code, message }: RefusedLine): boolean =>
    code === first.code && (code !== 'INVALID_NAME_LIST' || message === first.message);
  if (!others.every(isSame)) return refused;
  return [
    {
      ...first,
      message: `${first.message}; ${counted(others.length, 'other line is', 'other lines are')} refused for the same reason`,
    },
  ];
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_NAME_LIST', message);
}

import { isTallybookError, TallybookError, type ErrorCode } from '../errors.js';
import { isSameName, parseName, type Name } from '../values/names/name.js';
import { parseTallyId, type TallyId } from '../values/tally-id.js';

/** Maximum number of lines in a list of names. */
export const NAME_LIST_MAX_LINES = 10_000;
/** Maximum number of reported refused lines. A file with more is no list of names. */
const REFUSED_MAX_LINES = 1_000;

/** A refused line, and the reason. */
export interface RefusedLine {
  readonly line: number;
  readonly code: ErrorCode;
  /** For people. It holds no name and no id. */
  readonly message: string;
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
}

/** Checks a list of names line by line, and collects its assignments. */
export class NameList {
  /** In the order of the list, each tag once. */
  readonly assignments: Map<TallyId, ListedAssignment> = new Map<TallyId, ListedAssignment>();
  readonly refused: RefusedLine[] = [];
  #lines = 0;

  /** Whether the rest of the list need not be read, because the list will be refused anyway. */
  get isDone(): boolean {
    return this.#lines > NAME_LIST_MAX_LINES || this.refused.length >= REFUSED_MAX_LINES;
  }

  /** Takes the next line. Returns its assignment, or `undefined` if it is refused or repeats an earlier line. */
  add(listed: ListedName): ListedAssignment | undefined {
    this.#lines++;
    if ('code' in listed) {
      this.refused.push(listed);
      return undefined;
    }
    try {
      if (this.#lines > NAME_LIST_MAX_LINES)
        throw invalid(`a list has at most ${NAME_LIST_MAX_LINES} lines; split it`);
      return this.#take({ line: listed.line, id: parseTallyId(listed.id), name: parseName(listed.name) });
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      this.refused.push({ line: listed.line, code: error.code, message: error.message });
      return undefined;
    }
  }

  #take(assignment: ListedAssignment): ListedAssignment | undefined {
    const earlier = this.assignments.get(assignment.id);
    if (earlier === undefined) {
      this.assignments.set(assignment.id, assignment);
      return assignment;
    }
    if (isSameName(earlier.name, assignment.name)) return undefined;
    throw invalid(`the tag has another name in line ${earlier.line}`);
  }
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_NAME_LIST', message);
}

import type {
  DayStore,
  Journal,
  JournalEntry,
  JournalLimits,
  Lifecycle,
  MappingStore,
  ProvisionalStore,
} from '@tallybook/domain';
import type { CorrectionStore } from '@tallybook/domain/record';
import { onSubject, type ContractCase, type ContractOptions } from '../../runner.js';

/** A journal, and the stores that write it. */
export interface JournalStores {
  /** With the lifecycle of the storage. */
  readonly journal: Journal & Lifecycle;
  readonly days: DayStore;
  readonly mapping: MappingStore;
  readonly provisional: ProvisionalStore;
  readonly corrections: CorrectionStore;
}

/** A journal under test: open, without changes, and not shared with other subjects. */
export interface JournalSubject extends JournalStores {
  /** Closes the journal and the stores, and opens others over the same data. */
  readonly restart: () => Promise<JournalStores>;
  /** Present if the options have `hasFaults`. */
  readonly faults?: JournalFaults;
  /** Closes what is open and removes the data. */
  readonly cleanup: () => Promise<void>;
}

/** Faults that a test makes. */
export interface JournalFaults {
  /** Lets the next write fail: no part of it reaches the disk. The returned function lets writes succeed again. */
  readonly failNext: () => () => void;
  /** Delays writes before they are durable, until the returned function is called. */
  readonly hold: () => () => void;
  /** Lets the next write happen, and loses its answer. Given if `losesAnswers` is true. */
  readonly loseNextAnswer?: () => void;
}

/** The limits that `make` gets are those of the journal, which may keep a few entries more. */
export interface JournalContractOptions extends ContractOptions<
  (limits: JournalLimits) => Promise<JournalSubject>
> {
  /** Whether the data outlives the store objects. If not, the cases that need it are left out. */
  readonly durable: boolean;
  /** Whether subjects have `faults`. If not, the cases that need them are left out. */
  readonly hasFaults: boolean;
  /**
   * Whether answers to writes can be lost on the way, as from a database on another machine; default false. If so,
   * `faults` have `loseNextAnswer`.
   */
  readonly losesAnswers?: boolean;
  /** Stores that the subjects do not have: their cases are left out. Default: none. */
  readonly lacks?: readonly ('provisional' | 'corrections')[];
}

export type MakeJournal = JournalContractOptions['make'];

/** A case on a journal without changes. */
export function onJournal(
  title: string,
  body: (subject: JournalSubject) => Promise<void>,
  limits: JournalLimits = {},
): ContractCase<MakeJournal> {
  return onSubject(title, (make) => make(limits), body);
}

/** A case for which the disk can be made to fail. */
export function onFaults(
  title: string,
  body: (subject: JournalSubject, faults: JournalFaults) => Promise<void>,
): ContractCase<MakeJournal> {
  return onJournal(title, async (subject) => {
    if (subject.faults === undefined) throw new Error('the subject has no faults, and the options say so');
    await body(subject, subject.faults);
  });
}

/** A case for which the answer to a write can be lost. */
export function onLostAnswers(
  title: string,
  body: (subject: JournalSubject, loseNextAnswer: () => void) => Promise<void>,
): ContractCase<MakeJournal> {
  return onFaults(title, async (subject, { loseNextAnswer }) => {
    if (loseNextAnswer === undefined) throw new Error('the faults lose no answer, and the options say so');
    await body(subject, loseNextAnswer);
  });
}

/** All changes after a cursor, read a few at a time. */
export async function readAll(journal: Journal, after = 0, limit = 100): Promise<readonly JournalEntry[]> {
  const all: JournalEntry[] = [];
  for (;;) {
    const page = await journal.read(all.at(-1)?.cursor ?? after, limit);
    if (!page.isKnown) throw new Error(`the journal does not know what follows: ${page.reason}`);
    if (page.entries.length === 0) return all;
    for (const entry of page.entries) {
      const last = all.at(-1)?.cursor ?? after;
      // This check also makes sure that reading ends.
      if (!(entry.cursor > last)) throw new Error(`${entry.cursor} follows ${last}`);
      all.push(entry);
    }
  }
}

import type { Lifecycle, PeopleStore } from '@tallybook/domain';
import type { ErasureStore } from '@tallybook/domain/record';
import type { StampedNames } from '@tallybook/domain/sync';
import { onSubject, type ContractCase, type MakeSubject } from '../../../runner.js';
import type { JournalStores } from '../journal-subject.js';

/** An erasure store, and the stores that it erases from. */
export interface ErasureStores extends JournalStores {
  readonly erasures: ErasureStore & Lifecycle;
  /** The stamped names of `mapping`, if names can have stamps. */
  readonly stamped?: StampedNames;
  /** Present if the options have `hasPeople`. */
  readonly people?: PeopleStore;
}

/** Faults that a test makes. */
export interface ErasureFaults {
  /** Lets this many writes happen and all later ones fail, until the returned function is called. */
  readonly failAfter: (writes: number) => () => void;
}

/** An erasure store under test: open, with stores that are empty and not shared with other subjects. */
export interface ErasureSubject extends ErasureStores {
  /** Closes all stores, and opens others over the same data. */
  readonly restart: () => Promise<ErasureStores>;
  /** Present if the options have `hasFaults`. */
  readonly faults?: ErasureFaults;
  /** Closes what is open and removes the data. */
  readonly cleanup: () => Promise<void>;
}

export type MakeErasures = MakeSubject<ErasureSubject>;

/** More writes than any store needs to erase a person, or to take over an erasure. */
const WRITES_MAX = 1_000;

/**
 * A case that runs once for each write: this write fails, and all later ones.
 *
 * @param body Says whether so many writes were enough.
 */
export function onInterrupted(
  title: string,
  body: (subject: ErasureSubject, failNow: () => () => void) => Promise<boolean>,
): ContractCase<MakeErasures> {
  return [
    title,
    async (make) => {
      for (let writes = 0; writes < WRITES_MAX; writes++) {
        const subject = await make();
        try {
          const { faults } = subject;
          if (faults === undefined) throw new Error('the subject has no faults, and the options say so');
          if (await body(subject, () => faults.failAfter(writes))) return;
        } finally {
          await subject.cleanup();
        }
      }
      throw new Error(`it is not done after ${WRITES_MAX} writes`);
    },
  ];
}

/** A case on stores of its own. */
export function onStores(
  title: string,
  body: (subject: ErasureSubject) => Promise<void>,
): ContractCase<MakeErasures> {
  return onSubject(title, (make) => make(), body);
}

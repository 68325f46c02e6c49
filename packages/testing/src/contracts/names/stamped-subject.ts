import type { Change, Journal, Lifecycle, MappingStore, Name, TallyId } from '@tallybook/domain';
import type { ErasureStore } from '@tallybook/domain/record';
import type { Stamp, StampedName } from '@tallybook/domain';
import type { StampedNames, StampSource } from '@tallybook/domain/sync';
import type { ContractCase, ContractOptions } from '../../runner.js';
import { readAll } from '../record/journal-subject.js';

/** Names with their stamps, and the stores that they belong to. */
export interface StampedNamesStores {
  readonly mapping: MappingStore;
  /** With the lifecycle of the storage. */
  readonly stamped: StampedNames & Lifecycle;
  readonly journal: Journal;
  readonly erasures: ErasureStore;
}

/** Names with stamps under test: open, empty, and not shared with other subjects. */
export interface StampedNamesSubject extends StampedNamesStores {
  /** Closes all stores, and opens others over the same data. */
  readonly restart: (source: StampSource) => Promise<StampedNamesStores>;
  /** Closes what is open and removes the data. */
  readonly cleanup: () => Promise<void>;
}

/** `make` gets the source as an option of the storage. */
export interface StampedNamesContractOptions extends ContractOptions<
  (source: StampSource) => Promise<StampedNamesSubject> | StampedNamesSubject
> {
  /**
   * Whether other processes may write to the same storage at the same time; default false. If not, the cases about them are
   * left out.
   */
  readonly isShared?: boolean;
}

export { ada, babbage, bob, lovelace } from '../fixtures.js';

/** A stamp source whose time a case sets. */
export class FakeSource implements StampSource {
  /** The origin of the journal. */
  node = '';
  ms: number | undefined = 1_763_500_000_000;

  now(): number | undefined {
    return this.ms;
  }
}

export function stamp(ms: number, counter = 0, node = 'there'): Stamp {
  return { ms, counter, node };
}

export function stamped(id: TallyId, name: Name | undefined, its: Stamp | undefined): StampedName {
  return { id, name, stamp: its };
}

type Make = StampedNamesContractOptions['make'];

/** A case on stores without names. */
export function onNames(
  title: string,
  body: (subject: StampedNamesSubject, source: FakeSource) => Promise<void>,
): ContractCase<Make> {
  return [
    title,
    async (make) => {
      const source = new FakeSource();
      const subject = await make(source);
      try {
        source.node = await subject.journal.origin();
        await body(subject, source);
      } finally {
        await subject.cleanup();
      }
    },
  ];
}

/** The changes in the journal. */
export async function changesOf({
  journal,
}: Pick<StampedNamesStores, 'journal'>): Promise<readonly Change[]> {
  return (await readAll(journal)).map(({ change }) => change);
}

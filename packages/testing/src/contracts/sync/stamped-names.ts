import type { ErasureStore, Journal, MappingStore, StampedNames, StampSource } from '@tallybook/domain';
import { runCases, type Deviation, type TestRunner } from '../../runner.js';
import { lifecycleContract } from '../lifecycle.js';
import { mergeCases } from './merged-names.js';
import { bob, FakeSource, lovelace } from './stamped-subject.js';
import { stampCases } from './stamps.js';

/** Names with their stamps, and the stores that they belong to. */
export interface StampedNamesStores {
  readonly mapping: MappingStore;
  readonly stamped: StampedNames;
  readonly journal: Journal;
  readonly erasures: ErasureStore;
}

/** Names with stamps under test: open, empty, and not shared with other subjects. */
export interface StampedNamesSubject extends StampedNamesStores {
  /** Closes all stores, and opens others over the same data. */
  readonly restart: (source: StampSource | undefined) => Promise<StampedNamesStores>;
  /** Closes what is open and removes the data. */
  readonly cleanup: () => Promise<void>;
}

export interface StampedNamesContractOptions {
  readonly name: string;
  /** @param source Given to the `MappingStore`, if any. */
  readonly make: (source: StampSource | undefined) => Promise<StampedNamesSubject> | StampedNamesSubject;
  readonly deviations?: readonly Deviation[];
}

/** Checks the promises of {@link StampedNames}, and what a `MappingStore` with a {@link StampSource} promises. */
export function stampedNamesContract(runner: TestRunner, options: StampedNamesContractOptions): void {
  const { name, make, deviations } = options;
  lifecycleContract(runner, {
    name,
    make: async () => {
      const { stamped, cleanup } = await make(new FakeSource());
      await stamped.close();
      return { resource: stamped, cleanup };
    },
    operations: {
      merge: (names) => names.merge([{ id: bob, name: lovelace, stamp: undefined }]),
      replace: (names) => names.replace([{ id: bob, name: lovelace, stamp: undefined }]),
      get: (names) => names.get([bob]),
      page: (names) => names.page(undefined, 10),
    },
  });
  runCases(runner, `${name} as StampedNames`, [...stampCases, ...mergeCases], make, deviations);
}

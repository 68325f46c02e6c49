import { runCases, type TestRunner } from '../../runner.js';
import { lifecycleContract } from '../lifecycle.js';
import { mergeCases } from './merged-names.js';
import { restoreCases } from './restored-names.js';
import { bob, FakeSource, lovelace, type StampedNamesContractOptions } from './stamped-subject.js';
import { stampCases } from './stamps.js';

/** Checks the promises of `StampedNames`, and those of a `MappingStore` with a `StampSource`. */
export function stampedNamesContract(runner: TestRunner, options: StampedNamesContractOptions): void {
  const { name, make, isShared = false } = options;
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
  const cases = [...stampCases, ...mergeCases, ...(isShared ? restoreCases : [])];
  runCases(runner, 'StampedNames', cases, options);
}

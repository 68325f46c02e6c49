import type { Lifecycle } from '@tallybook/domain';
import { runCases, type ContractCase, type TestRunner } from '../runner.js';
import { lifecycleContract, type LifecycleContractOptions } from './lifecycle.js';
import type { StoreContractOptions } from './store-subject.js';

/** The parts of the contract of a store, in addition to the promises of a `Lifecycle`. */
export interface StoreContract<S> {
  /** Name of the port, with its article: `a DayStore`. */
  readonly port: string;
  /** Every operation that needs the store to be open, by name. */
  readonly operations: NonNullable<LifecycleContractOptions<S & Lifecycle>['operations']>;
  readonly cases: readonly ContractCase<StoreContractOptions<S>['make']>[];
  /** Cases for data that outlives the store object. */
  readonly restartCases: readonly ContractCase<StoreContractOptions<S>['make']>[];
}

/** Runs the contract of a store, as a `Lifecycle` and as its port. */
export function runStoreContract<S>(
  runner: TestRunner,
  options: StoreContractOptions<S>,
  { port, operations, cases, restartCases }: StoreContract<S>,
): void {
  lifecycleContract(runner, {
    name: options.name,
    make: async () => {
      const { store, cleanup } = await options.make();
      return { resource: store, cleanup };
    },
    operations,
  });
  runCases(runner, port, options.durable ? [...cases, ...restartCases] : cases, options);
}

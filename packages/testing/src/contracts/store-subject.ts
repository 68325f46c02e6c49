import type { Lifecycle } from '@tallybook/domain';
import { onSubject, type ContractCase, type ContractOptions, type MakeSubject } from '../runner.js';

/** A store under test, with its own data, and the lifecycle of the storage it is in. */
export interface StoreSubject<S> {
  /** The store, not opened yet, and empty. */
  readonly store: S & Lifecycle;
  /** Makes another store object over the same data, not opened yet. It is called when `store` is closed. */
  readonly reopen: () => Promise<S & Lifecycle> | (S & Lifecycle);
  /** Closes what is open and removes the data. */
  readonly cleanup: () => Promise<void>;
}

export interface StoreContractOptions<S> extends ContractOptions<MakeSubject<StoreSubject<S>>> {
  /** Whether the data outlives the store object. If not, the cases that need it are left out. */
  readonly durable: boolean;
}

type Make<S> = StoreContractOptions<S>['make'];

/** A case on an open, empty store. */
export function onStore<S>(title: string, body: (store: S) => Promise<void>): ContractCase<Make<S>> {
  return onSubject(
    title,
    (make) => make(),
    async ({ store }) => {
      await store.open();
      await body(store);
    },
  );
}

/**
 * A case in two parts: `before` runs before a restart; the second part checks the store after it, and gets the result of
 * `before`.
 */
export function acrossRestart<S, T = void>(
  title: string,
  [before, after]: readonly [
    before: (store: S) => Promise<T>,
    after: (store: S, before: T) => void | Promise<void>,
  ],
): ContractCase<Make<S>> {
  return onSubject(
    title,
    (make) => make(),
    async (subject) => {
      const { store } = subject;
      await store.open();
      const done = await before(store);
      await store.close();
      await using reopened = await subject.reopen();
      await reopened.open();
      await after(reopened, done);
    },
  );
}

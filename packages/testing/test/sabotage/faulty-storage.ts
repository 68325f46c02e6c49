import { TallybookError } from '@tallybook/domain';
import {
  MemoryData,
  MemoryStorage,
  type ProvenOptions,
  type StorageFaults,
  type StorageSubject,
} from '@tallybook/testing';

type Facet = Readonly<Record<string, unknown>>;

const writes: Readonly<Record<string, readonly string[]>> = {
  mapping: ['put', 'restore', 'remove', 'change'],
  days: ['record', 'merge', 'remove'],
  provisional: ['add', 'place', 'settle', 'remove'],
  corrections: ['correct', 'decide', 'remove'],
  erasures: ['erase', 'add', 'shorten', 'expire'],
  stampedNames: ['merge', 'replace'],
  stations: ['acknowledge', 'remove'],
  people: ['write'],
  access: ['change'],
};

const reads: Readonly<Record<string, readonly string[]>> = {
  mapping: ['read', 'get'],
  days: ['load', 'list', 'scans'],
  provisional: ['list'],
  corrections: ['list'],
  journal: ['read'],
  access: ['read'],
  audit: ['read'],
  receipts: ['list'],
  stations: ['list'],
  people: ['persons'],
  stampedNames: ['page'],
};

/** A storage in memory over a disk that can fail. Each operation is one write. Sabotage overrides its methods. */
export class FaultyWorld {
  readonly data = new MemoryData();
  openSnapshots = 0;
  #left = Infinity;
  #areReadsFailing = false;
  #storage: MemoryStorage | undefined;
  #plain: MemoryStorage | undefined;

  subject(options: ProvenOptions): StorageSubject {
    const storage = this.#make(options);
    const faults: StorageFaults = {
      failAt: (write) => {
        this.#left = write - 1;
        return () => (this.#left = Infinity);
      },
      failReads: () => {
        this.#areReadsFailing = true;
        return () => (this.#areReadsFailing = false);
      },
      openSnapshots: () => this.openSnapshots,
    };
    const cleanup = async (): Promise<void> => {
      await this.#storage?.close();
      await this.#plain?.close();
    };
    return { storage, reopen: (others) => this.#make(others), faults, cleanup };
  }

  /** What an operation rejects with when a write below it fails. */
  failure(): Error {
    return new TallybookError('STORE_WRITE_FAILED', 'the disk is full');
  }

  readFailure(): Error {
    return new TallybookError('STORE_READ_FAILED', 'the disk is gone');
  }

  /** Writes below an operation. */
  below(): void {
    if (this.#left-- <= 0) throw this.failure();
  }

  /** Does one write of a facet. */
  write(_facet: string, _method: string, work: () => Promise<unknown>): Promise<unknown> {
    this.below();
    return work();
  }

  /** Changes the storage after it was made. */
  change(_storage: MemoryStorage): void {
    // Nothing to change.
  }

  /** The stored data, below the faults. */
  plain(): MemoryStorage {
    if (this.#plain === undefined) throw new Error('no storage was made');
    return this.#plain;
  }

  disposed(): void {
    this.openSnapshots--;
  }

  #make(options: ProvenOptions): MemoryStorage {
    const storage = new MemoryStorage({ ...options, data: this.data });
    for (const [name, methods] of Object.entries(writes)) {
      this.#wrap(storage, name, methods, (method, work) => this.write(name, method, work));
    }
    for (const [name, methods] of Object.entries(reads)) {
      this.#wrap(storage, name, methods, async (_, work) => {
        if (this.#areReadsFailing) throw this.readFailure();
        return work();
      });
    }
    this.#count(storage.snapshots, 'take');
    this.#count(storage.mapping, 'snapshot');
    this.#plain = new MemoryStorage({ ...options, data: this.data });
    this.change(storage);
    this.#storage = storage;
    return storage;
  }

  /** Wraps methods of a facet. A closed storage rejects before anything else happens. */
  #wrap(
    storage: MemoryStorage,
    name: string,
    methods: readonly string[],
    around: (method: string, work: () => Promise<unknown>) => Promise<unknown>,
  ): void {
    const facet = (storage as unknown as Record<string, Facet>)[name] as Record<string, unknown>;
    for (const method of methods) {
      const work = (facet[method] as (...args: unknown[]) => Promise<unknown>).bind(facet);
      facet[method] = (...args: unknown[]): Promise<unknown> =>
        storage.status === 'open'
          ? Promise.resolve().then(() => around(method, () => work(...args)))
          : work(...args);
    }
  }

  #count(source: object, method: string): void {
    const owner = source as Record<string, (...args: unknown[]) => Promise<AsyncDisposable>>;
    const take = owner[method]?.bind(source);
    if (take === undefined) return;
    owner[method] = async (...args) => {
      const snapshot = await take(...args);
      this.openSnapshots++;
      let isOpen = true;
      return Object.assign(snapshot, {
        [Symbol.asyncDispose]: () => {
          if (isOpen) this.disposed();
          isOpen = false;
          return Promise.resolve();
        },
      });
    };
  }
}

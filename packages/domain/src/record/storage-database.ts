import { TallybookError } from '../errors.js';
import { ManagedResource, type Lifecycle } from '../lifecycle.js';

/** A database under the facets of a storage. */
export abstract class StorageDatabase extends ManagedResource {
  readonly #onOpening: (() => Promise<void>)[] = [];
  readonly #onClosing: (() => Promise<void>)[] = [];

  /** If it rejects, it must have released what it acquired. */
  protected abstract connect(): Promise<void>;
  protected abstract disconnect(): Promise<void>;

  /** Adds work that must be done before anything else is read or written. It is done in the order of the calls. */
  onOpening(work: () => Promise<void>): void {
    this.#onOpening.push(work);
  }

  /** Adds work that is done when everything else has ended. It must not reject. */
  onClosing(work: () => Promise<void>): void {
    this.#onClosing.push(work);
  }

  /** Does an operation of a facet; closing waits for it. */
  override run<T>(work: () => Promise<T>): Promise<T> {
    return super.run(work);
  }

  override notOpen(): TallybookError {
    return new TallybookError('NOT_OPEN', `the storage is ${this.status}; open it first`);
  }

  protected override async onOpen(): Promise<void> {
    await this.connect();
    try {
      for (const work of this.#onOpening) await work();
    } catch (error) {
      await this.disconnect();
      throw error;
    }
  }

  protected override async onClose(): Promise<void> {
    for (const work of this.#onClosing) await work();
    await this.disconnect();
  }
}

/** A storage that is opened and closed with its database. */
export abstract class DatabaseStorage implements Lifecycle {
  readonly #database: Lifecycle;

  constructor(database: Lifecycle) {
    this.#database = database;
  }

  get status(): Lifecycle['status'] {
    return this.#database.status;
  }

  open(): Promise<void> {
    return this.#database.open();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

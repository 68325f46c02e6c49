import { TallybookError } from './errors.js';

export type LifecycleStatus = 'closed' | 'opening' | 'open' | 'closing';

/**
 * The promises of every object that holds a resource.
 *
 * The constructor does no I/O and starts no timer. `open()` and `close()` are idempotent and take effect in the order
 * of the calls. An `open()` or a `close()` that fails leaves the object closed. Every other operation rejects with
 * `NOT_OPEN` unless the status is `open`. `close()` waits for operations in flight. A closed object can be opened
 * again. `Symbol.asyncDispose` closes.
 */
export interface Lifecycle extends AsyncDisposable {
  readonly status: LifecycleStatus;
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A {@link Lifecycle} for adapters to extend: they acquire and release the resource, this class keeps the promises.
 */
export abstract class ManagedResource implements Lifecycle {
  #status: LifecycleStatus = 'closed';
  #transitions: Promise<void> = Promise.resolve();
  #inFlight = 0;
  #onIdle: () => void = () => undefined;

  /** Acquires the resource. If it rejects, it must have released what it acquired. */
  protected abstract onOpen(): Promise<void>;
  /** Releases the resource. No operation is in flight when it is called. */
  protected abstract onClose(): Promise<void>;

  get status(): LifecycleStatus {
    return this.#status;
  }

  open(): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#status === 'open') return;
      this.#status = 'opening';
      try {
        await this.onOpen();
        this.#status = 'open';
      } catch (error) {
        this.#status = 'closed';
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#status === 'closed') return;
      this.#status = 'closing';
      try {
        await this.#idle();
        await this.onClose();
      } finally {
        this.#status = 'closed';
      }
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Runs an operation that needs the resource. The work starts before this method returns. */
  protected async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#status !== 'open') throw this.notOpen();
    this.#inFlight++;
    try {
      return await work();
    } finally {
      this.#inFlight--;
      if (this.#inFlight === 0) this.#onIdle();
    }
  }

  protected notOpen(): TallybookError {
    return new TallybookError('NOT_OPEN', `${this.constructor.name} is ${this.#status}; open it first`);
  }

  /** Resolves when no operation is in flight. None begins meanwhile, because the status is not `open`. */
  async #idle(): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    const done = this.#transitions.then(step);
    this.#transitions = done.catch(() => undefined);
    return done;
  }
}

/** The resources that {@link openAll} opened. */
export interface OpenResources extends AsyncDisposable {
  /** Closes all resources in reverse order, even if some fail to close. */
  close(): Promise<void>;
}

/**
 * Opens resources one after another. If one fails, the open ones are closed again, in reverse order, and the error is
 * thrown: alone, or in an `AggregateError` with the errors of closing.
 */
export async function openAll(resources: readonly Lifecycle[]): Promise<OpenResources> {
  const opened: Lifecycle[] = [];
  try {
    for (const resource of resources) {
      await resource.open();
      opened.push(resource);
    }
  } catch (error) {
    const failures = await closeInReverse(opened);
    if (failures.length === 0) throw error;
    throw new AggregateError([error, ...failures], 'opening failed, and closing what was open failed too', {
      cause: error,
    });
  }
  const close = async (): Promise<void> => {
    const failures = await closeInReverse(opened);
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'several resources failed to close');
  };
  return { close, [Symbol.asyncDispose]: close };
}

async function closeInReverse(resources: readonly Lifecycle[]): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const resource of [...resources].reverse()) {
    try {
      await resource.close();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}

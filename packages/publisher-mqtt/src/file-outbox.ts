import {
  Emitter,
  ManagedResource,
  TallybookError,
  type Clock,
  type Subscribable,
  type Subscription,
} from '@tallybook/domain';
import { noteLatest, type LatestScans } from './latest-scans.js';
import { MessageQueue } from './message-queue.js';
import type { Outbox, OutboxMessage } from './outbox.js';
import { OutboxFile, type ReadContent } from './outbox-file.js';
import type { ScanMessage } from './scan-message.js';

export interface FileOutboxOptions {
  /** A folder of its own. It and the one above it are made when the outbox is opened. */
  readonly folder: string;
  readonly clock: Clock;
  /** Most messages that may wait. */
  readonly limit: number;
}

/** Bytes: a larger file is written again when most of it is removed messages. */
const FREE_SIZE = 262_144;
/** How long after the file could not be written it is tried again, in milliseconds. */
const RETRY_MS = 10_000;

/** A message on its way into the file. */
interface Arrival {
  readonly message: OutboxMessage;
  readonly told: ScanMessage;
  readonly settle: () => void;
}

/**
 * An {@link Outbox} in a file.
 *
 * ```
 * add -> arrivals -> [ OutboxFile: append, sync ] -> MessageQueue -> first
 *                       \-> failed: the file is written as a whole, later
 * ```
 *
 * All messages are in memory too, and the file is read at the opening only. So a failing disk costs only durability:
 * messages are still delivered. Messages that are added while the disk is busy share one sync.
 */
export class FileOutbox extends ManagedResource implements Outbox {
  readonly faults: Subscribable<TallybookError>;
  readonly #faults = new Emitter<TallybookError>();
  readonly #options: FileOutboxOptions;
  #queue: MessageQueue;
  #latest: LatestScans | undefined;
  #arrivals: Arrival[] = [];
  /** Up to which message all are gone. */
  #gone = 0;
  /** Whether the file lacks anything but the arrivals. */
  #isBehind = false;
  /** Absent if it has to be written as a whole. */
  #file: OutboxFile | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  /** Whether it is not known what the file holds; then it is not written until the outbox is opened again. */
  #isUnread = false;
  /** Given while the file cannot be written. */
  #retry: Subscription | undefined;
  #isFailureTold = false;

  constructor(options: FileOutboxOptions) {
    super();
    this.#options = options;
    this.#queue = this.#createQueue(1);
    this.faults = this.#faults;
  }

  get size(): number {
    return this.#queue.size;
  }

  get latest(): LatestScans | undefined {
    return this.#latest;
  }

  add(told: ScanMessage, tappedMs: number | undefined): Promise<void> {
    return this.run(
      () =>
        new Promise((settle) => {
          this.#arrivals.push({ message: this.#queue.number(told, tappedMs), told, settle });
          this.#write();
        }),
    );
  }

  first(count: number): readonly OutboxMessage[] {
    return this.#queue.first(count);
  }

  removeThrough(sequence: number): void {
    this.#queue.removeThrough(sequence);
    this.#gone = Math.max(this.#gone, sequence);
    this.#isBehind = true;
    this.#write();
  }

  protected override async onOpen(): Promise<void> {
    this.#isFailureTold = false;
    const { messages, next, latest, damagedLines } = await this.#read();
    this.#queue = this.#createQueue(next);
    this.#latest = latest;
    for (const message of messages) this.#queue.push(message);
    this.#gone = (messages[0]?.sequence ?? next) - 1;
    if (damagedLines > 0) {
      await this.#putAside(damagedLines).catch((error: unknown) => this.#fail(error));
      this.#isBehind = true;
      this.#write();
    }
  }

  protected override async onClose(): Promise<void> {
    // One attempt more, if it fails at present.
    this.#dropRetry();
    this.#write();
    await this.#writing;
    this.#dropRetry();
    await this.#file?.close();
    this.#file = undefined;
    this.#isBehind = false;
  }

  async #read(): Promise<ReadContent> {
    const { folder } = this.#options;
    this.#isUnread = false;
    try {
      await OutboxFile.makeFolder(folder);
      return await OutboxFile.read(folder);
    } catch (error) {
      // It may be sound, and readable the next time.
      this.#isUnread = true;
      this.#report(
        'unwritable',
        `the outbox ${folder} cannot be read: ${describe(error)}. It is left unchanged; until the next start, unsent messages are in memory only`,
        error,
      );
      return { messages: [], next: 1, latest: undefined, damagedLines: 0 };
    }
  }

  async #putAside(damagedLines: number): Promise<void> {
    const { folder } = this.#options;
    const aside = await OutboxFile.putAside(folder);
    this.#report(
      'damaged',
      `the outbox ${folder} is damaged in ${damagedLines} of its lines. The other messages are delivered; the damaged file is kept as ${aside}`,
    );
  }

  #createQueue(next: number): MessageQueue {
    return new MessageQueue(this.#options.limit, next, (fault) => this.#faults.emit(fault));
  }

  #write(): void {
    if (!this.#isWriting) this.#writing = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#arrivals.length > 0 || (this.#isBehind && this.#retry === undefined)) {
      // Lets what is added in the same turn share the sync.
      await Promise.resolve();
      const arrivals = this.#arrivals;
      this.#arrivals = [];
      this.#latest = arrivals.reduce((latest, { told }) => noteLatest(latest, told), this.#latest);
      if (this.#retry === undefined) await this.#persist(arrivals.map(({ message }) => message));
      for (const { message, settle } of arrivals) {
        this.#queue.push(message);
        settle();
      }
    }
    this.#isWriting = false;
  }

  /** Brings the file up to date with what waits, the arrivals and what is gone. */
  async #persist(arrivals: readonly OutboxMessage[]): Promise<void> {
    const { folder } = this.#options;
    this.#isBehind = false;
    if (this.#isUnread) return;
    try {
      if (this.#file !== undefined && this.#file.size <= Math.max(FREE_SIZE, 2 * this.#queue.bytes)) {
        await this.#file.append(arrivals, this.#gone);
      } else {
        await this.#file?.close();
        this.#file = undefined;
        const messages = [...this.#queue.all(), ...arrivals];
        this.#file = await OutboxFile.create(folder, {
          messages,
          next: this.#queue.next,
          latest: this.#latest,
        });
      }
      this.#isFailureTold = false;
    } catch (error) {
      // What is in it now is not known.
      await this.#file?.close();
      this.#file = undefined;
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const { folder, clock } = this.#options;
    this.#isBehind = true;
    this.#dropRetry();
    this.#retry = clock.schedule(RETRY_MS, () => {
      this.#retry = undefined;
      this.#write();
    });
    if (this.#isFailureTold) return;
    this.#isFailureTold = true;
    this.#report(
      'unwritable',
      `the outbox ${folder} cannot be written: ${describe(error)}. Until then, unsent messages are in memory only`,
      error,
    );
  }

  #dropRetry(): void {
    this.#retry?.unsubscribe();
    this.#retry = undefined;
  }

  #report(reason: string, message: string, cause?: unknown): void {
    const { folder } = this.#options;
    const options = cause === undefined ? {} : { cause };
    this.#faults.emit(
      new TallybookError('OUTPUT_FAILED', message, { ...options, details: { reason, folder } }),
    );
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

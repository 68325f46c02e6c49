import { Emitter, ManagedResource, type Subscribable, type TallybookError } from '@tallybook/domain';
import { noteLatest, type LatestScans } from './latest-scans.js';
import { MessageQueue } from './message-queue.js';
import type { Outbox, OutboxMessage } from './outbox.js';
import type { ScanMessage } from './scan-message.js';

/** An {@link Outbox} for a service whose record is in memory too: nothing outlives the process. */
export class MemoryOutbox extends ManagedResource implements Outbox {
  readonly faults: Subscribable<TallybookError>;
  readonly #faults = new Emitter<TallybookError>();
  readonly #queue: MessageQueue;
  #latest: LatestScans | undefined;

  /** @param limit How many messages may wait. */
  constructor(limit: number) {
    super();
    this.faults = this.#faults;
    this.#queue = new MessageQueue(limit, 1, (fault) => this.#faults.emit(fault));
  }

  get size(): number {
    return this.#queue.size;
  }

  get latest(): LatestScans | undefined {
    return this.#latest;
  }

  add(message: ScanMessage, tappedMs: number | undefined): Promise<void> {
    return this.run(async () => {
      this.#queue.push(this.#queue.number(message, tappedMs));
      this.#latest = noteLatest(this.#latest, message);
    });
  }

  first(count: number): readonly OutboxMessage[] {
    return this.#queue.first(count);
  }

  removeThrough(sequence: number): void {
    this.#queue.removeThrough(sequence);
  }

  protected override async onOpen(): Promise<void> {
    // Nothing to acquire.
  }

  protected override async onClose(): Promise<void> {
    // What waits stays, for who opens it again.
  }
}

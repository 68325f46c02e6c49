import type { Receipt, ReceiptStore } from '@tallybook/domain';
import { withAcknowledged } from '@tallybook/domain/sync';
import { MemoryStore } from './memory-store.js';

/** Data of a {@link MemoryReceiptStore}: the runs of each device, the one noted last at the end. */
export type MemoryReceipts = Map<string, Map<string, number>>;

/** A {@link ReceiptStore} in memory. Its data lives as long as the given `receipts`. */
export class MemoryReceiptStore extends MemoryStore implements ReceiptStore {
  readonly #receipts: MemoryReceipts;

  constructor(receipts: MemoryReceipts = new Map()) {
    super();
    this.#receipts = receipts;
  }

  latest(device: string, run: string): Promise<number> {
    return this.run(() => Promise.resolve(this.#receipts.get(device)?.get(run) ?? 0));
  }

  note(device: string, run: string, number: number): Promise<void> {
    return this.run(() => {
      const runs = [...(this.#receipts.get(device) ?? [])];
      this.#receipts.set(device, new Map(withAcknowledged(runs, run, number)));
      return Promise.resolve();
    });
  }

  list(): Promise<readonly Receipt[]> {
    return this.run(() =>
      Promise.resolve(
        [...this.#receipts].flatMap(([device, runs]) =>
          [...runs].map(([run, number]) => ({ device, run, number })),
        ),
      ),
    );
  }
}

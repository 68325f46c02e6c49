import type { Receipt } from '@tallybook/domain';
import { MemoryReceiptStore, type MemoryReceipts } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Sabotage } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends MemoryReceiptStore {
  readonly receipts: MemoryReceipts;

  constructor(receipts: MemoryReceipts) {
    super(receipts);
    this.receipts = receipts;
  }
}

const operations = ['latest', 'note', 'list'];

export const receiptStoreSabotages: readonly Sabotage<
  new (receipts: MemoryReceipts) => MemoryReceiptStore
>[] = [
  ...faults<new (receipts: MemoryReceipts) => MemoryReceiptStore>({
    'has the number of another run where there is none': class extends Sabotaged {
      static readonly fails = ['has 0 for a device and a run of which nothing was noted'];
      override async latest(device: string, run: string): Promise<number> {
        const number = await super.latest(device, run);
        return number === 0 ? Math.max(0, ...(this.receipts.get(device)?.values() ?? [])) : number;
      }
    },
    'keeps numbers of 32 bits': class extends Sabotaged {
      static readonly fails = ['has the number that was noted'];
      override note(device: string, run: string, number: number): Promise<void> {
        return super.note(device, run, number >>> 0);
      }
    },
    'keeps the number that was noted last': class extends Sabotaged {
      static readonly fails = ['keeps the larger number when a smaller one is noted'];
      override note(device: string, run: string, number: number): Promise<void> {
        this.receipts.get(device)?.delete(run);
        return super.note(device, run, number);
      }
    },
    'does not tell capitals from other letters': class extends Sabotaged {
      static readonly fails = ['keeps devices and runs apart, whatever their names are'];
      override latest(device: string, run: string): Promise<number> {
        return super.latest(device.toLowerCase(), run);
      }

      override note(device: string, run: string, number: number): Promise<void> {
        return super.note(device.toLowerCase(), run, number);
      }
    },
    'keeps the 8 runs that began last': class extends Sabotaged {
      static readonly fails = ['keeps the 8 runs of a device that were noted last'];
      override note(device: string, run: string, number: number): Promise<void> {
        const runs = this.receipts.get(device);
        const known = runs?.get(run);
        if (this.status !== 'open' || runs === undefined || known === undefined) {
          return super.note(device, run, number);
        }
        runs.set(run, Math.max(known, number));
        return Promise.resolve();
      }
    },
    'keeps every run': class extends Sabotaged {
      static readonly fails = ['keeps the 8 runs of a device that were noted last'];
      override async note(device: string, run: string, number: number): Promise<void> {
        const before = new Map(this.receipts.get(device));
        await super.note(device, run, number);
        const runs = this.receipts.get(device);
        for (const [other, its] of before) if (runs?.has(other) === false) runs.set(other, its);
      }
    },
    'loses what is noted while it writes': class extends Sabotaged {
      static readonly fails = ['loses nothing of what is noted at the same time'];
      override note(device: string, run: string, number: number): Promise<void> {
        return this.run(async () => {
          const runs = new Map(this.receipts.get(device));
          const known = runs.get(run) ?? 0;
          await Promise.resolve();
          runs.delete(run);
          runs.set(run, Math.max(known, number));
          for (const [oldest] of runs) if (runs.size > 8) runs.delete(oldest);
          this.receipts.set(device, runs);
        });
      }
    },
    'lists the runs as they began': class extends Sabotaged {
      static readonly fails = ['lists what it keeps, the runs of a device as they were noted last'];
      readonly #begun = new Map<string, string[]>();

      override async note(device: string, run: string, number: number): Promise<void> {
        await super.note(device, run, number);
        const begun = this.#begun.get(device) ?? [];
        if (!begun.includes(run)) this.#begun.set(device, [...begun, run]);
      }

      override async list(): Promise<readonly Receipt[]> {
        const list = [...(await super.list())];
        const place = ({ device, run }: Receipt): number => this.#begun.get(device)?.indexOf(run) ?? 0;
        return list.sort((a, b) => place(a) - place(b));
      }
    },
    'lists one device only': class extends Sabotaged {
      static readonly fails = ['lists what it keeps, the runs of a device as they were noted last'];
      override async list(): Promise<readonly Receipt[]> {
        const list = await super.list();
        return list.filter(({ device }) => device === list[0]?.device);
      }
    },
    'forgets in which order runs were noted when it is closed': class extends Sabotaged {
      static readonly fails = ['keeps what it acknowledged across a restart'];
      protected override async onClose(): Promise<void> {
        for (const [device, runs] of this.receipts) {
          this.receipts.set(device, new Map([...runs].sort(([, a], [, b]) => b - a)));
        }
      }
    },
  }),
  ...closedStoreSabotages(MemoryReceiptStore, operations),
];

import type { Receipt } from '@tallybook/domain';
import { MemoryReceiptStore, type MemoryReceipts } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import type { Sabotage } from '../sabotage.js';

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
  {
    fault: 'has the number of another run where there is none',
    Fake: class extends Sabotaged {
      override async latest(device: string, run: string): Promise<number> {
        const number = await super.latest(device, run);
        return number === 0 ? Math.max(0, ...(this.receipts.get(device)?.values() ?? [])) : number;
      }
    },
    fails: ['has 0 for a device and a run of which nothing was noted'],
  },
  {
    fault: 'keeps numbers of 32 bits',
    Fake: class extends Sabotaged {
      override note(device: string, run: string, number: number): Promise<void> {
        return super.note(device, run, number >>> 0);
      }
    },
    fails: ['has the number that was noted'],
  },
  {
    fault: 'keeps the number that was noted last',
    Fake: class extends Sabotaged {
      override note(device: string, run: string, number: number): Promise<void> {
        this.receipts.get(device)?.delete(run);
        return super.note(device, run, number);
      }
    },
    fails: ['keeps the larger number when a smaller one is noted'],
  },
  {
    fault: 'does not tell capitals from other letters',
    Fake: class extends Sabotaged {
      override latest(device: string, run: string): Promise<number> {
        return super.latest(device.toLowerCase(), run);
      }

      override note(device: string, run: string, number: number): Promise<void> {
        return super.note(device.toLowerCase(), run, number);
      }
    },
    fails: ['keeps devices and runs apart, whatever their names are'],
  },
  {
    fault: 'keeps the 8 runs that began last',
    Fake: class extends Sabotaged {
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
    fails: ['keeps the 8 runs of a device that were noted last'],
  },
  {
    fault: 'keeps every run',
    Fake: class extends Sabotaged {
      override async note(device: string, run: string, number: number): Promise<void> {
        const before = new Map(this.receipts.get(device));
        await super.note(device, run, number);
        const runs = this.receipts.get(device);
        for (const [other, its] of before) if (runs?.has(other) === false) runs.set(other, its);
      }
    },
    fails: ['keeps the 8 runs of a device that were noted last'],
  },
  {
    fault: 'loses what is noted while it writes',
    Fake: class extends Sabotaged {
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
    fails: ['loses nothing of what is noted at the same time'],
  },
  {
    fault: 'lists the runs as they began',
    Fake: class extends Sabotaged {
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
    fails: ['lists what it keeps, the runs of a device as they were noted last'],
  },
  {
    fault: 'lists one device only',
    Fake: class extends Sabotaged {
      override async list(): Promise<readonly Receipt[]> {
        const list = await super.list();
        return list.filter(({ device }) => device === list[0]?.device);
      }
    },
    fails: ['lists what it keeps, the runs of a device as they were noted last'],
  },
  {
    fault: 'forgets in which order runs were noted when it is closed',
    Fake: class extends Sabotaged {
      protected override async onClose(): Promise<void> {
        for (const [device, runs] of this.receipts) {
          this.receipts.set(device, new Map([...runs].sort(([, a], [, b]) => b - a)));
        }
      }
    },
    fails: ['keeps what it acknowledged across a restart'],
  },
  ...closedStoreSabotages(MemoryReceiptStore, operations),
];

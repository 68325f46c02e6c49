import type { Receipt } from '@tallybook/domain';
import { MemoryReceiptStore } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, showing } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends showing(MemoryReceiptStore, 'receipts') {}

const operations = ['latest', 'note', 'list'];

export const receiptStoreSabotages = [
  ...faults(Sabotaged, {
    'has the number of another run where there is none': {
      fails: ['has 0 for a device and a run of which nothing was noted'],
      latest: (sound, fake) => async (device, run) => {
        const number = await sound(device, run);
        return number === 0 ? Math.max(0, ...(fake.receipts.get(device)?.values() ?? [])) : number;
      },
    },
    'keeps numbers of 32 bits': {
      fails: ['has the number that was noted'],
      note: (sound) => (device, run, number) => sound(device, run, number >>> 0),
    },
    'keeps the number that was noted last': {
      fails: ['keeps the larger number when a smaller one is noted'],
      note: (sound, fake) => (device, run, number) => {
        fake.receipts.get(device)?.delete(run);
        return sound(device, run, number);
      },
    },
    'does not tell capitals from other letters': {
      fails: ['keeps devices and runs apart, whatever their names are'],
      latest: (sound) => (device, run) => sound(device.toLowerCase(), run),
      note: (sound) => (device, run, number) => sound(device.toLowerCase(), run, number),
    },
    'keeps every run': {
      fails: ['keeps the 8 runs of a device that were noted last'],
      note: (sound, fake) => async (device, run, number) => {
        const before = new Map(fake.receipts.get(device));
        await sound(device, run, number);
        const runs = fake.receipts.get(device);
        for (const [other, its] of before) if (runs?.has(other) === false) runs.set(other, its);
      },
    },
    'loses what is noted while it writes': {
      fails: ['loses nothing of what is noted at the same time'],
      note: (_, fake) => (device, run, number) =>
        fake.run(async () => {
          const runs = new Map(fake.receipts.get(device));
          const known = runs.get(run) ?? 0;
          await Promise.resolve();
          runs.delete(run);
          runs.set(run, Math.max(known, number));
          for (const [oldest] of runs) if (runs.size > 8) runs.delete(oldest);
          fake.receipts.set(device, runs);
        }),
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
    'lists one device only': {
      fails: ['lists what it keeps, the runs of a device as they were noted last'],
      list: (sound) => async () => {
        const list = await sound();
        return list.filter(({ device }) => device === list[0]?.device);
      },
    },
    'forgets in which order runs were noted when it is closed': {
      fails: ['keeps what it acknowledged across a restart'],
      onClose: (_, fake) => async () => {
        for (const [device, runs] of fake.receipts) {
          fake.receipts.set(device, new Map([...runs].sort(([, a], [, b]) => b - a)));
        }
      },
    },
  }),
  ...closedStoreSabotages(MemoryReceiptStore, operations),
];

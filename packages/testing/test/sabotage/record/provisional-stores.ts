import { toTimestamp, type Filing, type ProvisionalScan, type TallyId } from '@tallybook/domain';
import { MemoryProvisionalStore, noProvisionalScans, type MemoryProvisionalScans } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import type { Sabotage } from '../sabotage.js';

type NewScan = Omit<ProvisionalScan, 'sequence'>;

/** A fake whose sabotage can access its contents. */
class Sabotaged extends MemoryProvisionalStore {
  readonly scans: MemoryProvisionalScans;

  constructor(scans: MemoryProvisionalScans) {
    super(scans);
    this.scans = scans;
  }
}

/** A fake whose sabotage changes a stored scan, except its key. */
abstract class Miswriting extends Sabotaged {
  protected abstract miswrite(scan: ProvisionalScan): ProvisionalScan;

  override async add(scan: NewScan): Promise<number> {
    const sequence = await super.add(scan);
    const kept = this.scans.bySequence.get(sequence);
    if (kept !== undefined) this.scans.bySequence.set(sequence, this.miswrite(kept));
    return sequence;
  }
}

/** A fake whose sabotage changes a noted filing. */
abstract class Misfiling extends Sabotaged {
  protected abstract misfile(filing: Filing, known: Filing | undefined): Filing;

  override settle(sequence: number, filing: Filing): Promise<void> {
    return super.settle(sequence, this.misfile(filing, this.scans.bySequence.get(sequence)?.filing));
  }
}

/** A fake whose sabotage changes the list. */
abstract class Misreading extends Sabotaged {
  protected abstract misread(scans: readonly ProvisionalScan[]): readonly ProvisionalScan[];

  override list(): Promise<readonly ProvisionalScan[]> {
    return super.list().then((scans) => this.misread(scans));
  }
}

const operations = ['add', 'list', 'place', 'settle', 'remove'];

/** Cases that compare a listed scan with the added one. */
const listings: readonly string[] = [
  'lists a scan as it was added, with its sequence',
  'lists scans in the order of their sequences',
  'keeps every character of a reader and of a run',
  'keeps moments on the monotonic clock exactly',
  'keeps the first and the last day and timestamp that exist',
  'keeps scans apart that differ in the tag, the run or the moment alone',
  'takes a scan of the same tag, run and moment for the one that it keeps',
  'keeps a filing that a scan is added with',
  'notes the filing of a scan and of no other one',
  'places a scan that has no filing yet, and no other one',
  'places a scan once when several do it at the same time',
  'places no scan that it does not hold',
  'replaces a filing as a whole',
  'keeps the filing when the scan is added again',
  'does nothing when a sequence is settled that it does not hold',
  'removes a scan and no other one',
  'does nothing when a sequence is removed that it does not hold',
  'takes a scan that was removed for a new one',
  'gives scans that are added at the same time sequences in the order of the calls',
  'keeps one scan when it is added several times at the same time',
  'loses nothing of what is added, settled and removed at the same time',
  'does not change what was listed when more is written',
  'keeps what it acknowledged across a restart',
  'knows a scan again after a restart',
  'keeps a removed scan removed across a restart',
];

export const provisionalStoreSabotages: readonly Sabotage<
  new (scans: MemoryProvisionalScans) => MemoryProvisionalStore
>[] = [
  {
    fault: 'is not empty at first',
    Fake: class extends Sabotaged {
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        if (scans.lastSequence > 0) return;
        const id = 'FFFFFFFE' as TallyId;
        const none = toTimestamp(0);
        const scan = { id, reader: '', bootId: '', monotonicMs: 0, shown: none, notBefore: none };
        scans.bySequence.set(++scans.lastSequence, { ...scan, sequence: scans.lastSequence });
      }
    },
    fails: ['has no scans at first', ...listings],
  },
  {
    fault: 'keeps nothing',
    Fake: class extends Sabotaged {
      override async add(scan: NewScan): Promise<number> {
        const sequence = await super.add(scan);
        await super.remove(sequence);
        return sequence;
      }
    },
    fails: ['lets add finish when close is called meanwhile', ...listings],
  },
  {
    fault: 'gives sequences from 0',
    Fake: class extends Sabotaged {
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        if (scans.bySequence.size === 0 && scans.lastSequence === 0) scans.lastSequence = -1;
      }
    },
    fails: ['gives each scan a larger sequence than the one before, from 1'],
  },
  {
    fault: 'gives one more than the highest sequence that is kept',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        this.scans.lastSequence = Math.max(0, ...this.scans.bySequence.keys());
        return super.add(scan);
      }
    },
    fails: [
      'never gives a sequence again, not even the highest or the only one',
      'takes a scan that was removed for a new one',
    ],
  },
  {
    fault: 'begins after the highest sequence that is kept when it starts',
    Fake: class extends Sabotaged {
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        scans.lastSequence = Math.max(0, ...scans.bySequence.keys());
      }
    },
    fails: ['never gives a sequence again after a restart, even if nothing is left'],
  },
  {
    fault: 'gives descending sequences',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        this.scans.lastSequence = Math.min(1_000, ...this.scans.bySequence.keys()) - 2;
        return super.add(scan);
      }
    },
    fails: ['gives each scan a larger sequence than the one before, from 1'],
  },
  {
    fault: 'lists scans by the digits of their sequences',
    Fake: class extends Misreading {
      protected override misread(scans: readonly ProvisionalScan[]): readonly ProvisionalScan[] {
        return [...scans].sort((a, b) => (String(a.sequence) < String(b.sequence) ? -1 : 1));
      }
    },
    fails: ['lists scans in the order of their sequences'],
  },
  {
    fault: 'lists scans by the moment of taking',
    Fake: class extends Misreading {
      protected override misread(scans: readonly ProvisionalScan[]): readonly ProvisionalScan[] {
        return [...scans].sort((a, b) => a.monotonicMs - b.monotonicMs);
      }
    },
    fails: ['lists scans in the order of their sequences', 'keeps moments on the monotonic clock exactly'],
  },
  {
    fault: 'lists the last settled scan last',
    Fake: class extends Sabotaged {
      override async settle(sequence: number, filing: Filing): Promise<void> {
        await super.settle(sequence, filing);
        const scan = this.scans.bySequence.get(sequence);
        if (scan === undefined || !this.scans.bySequence.delete(sequence)) return;
        this.scans.bySequence.set(sequence, scan);
      }
    },
    fails: ['keeps what it acknowledged across a restart'],
  },
  {
    fault: 'lists only what is not settled',
    Fake: class extends Misreading {
      protected override misread(scans: readonly ProvisionalScan[]): readonly ProvisionalScan[] {
        return scans.filter(({ filing }) => filing === undefined);
      }
    },
    fails: ['places a scan once when several do it at the same time'],
  },
  {
    fault: 'keeps texts in Latin-1',
    Fake: class extends Miswriting {
      protected override miswrite(scan: ProvisionalScan): ProvisionalScan {
        const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
        return { ...scan, reader: latin1(scan.reader), bootId: latin1(scan.bootId) };
      }
    },
    fails: ['keeps every character of a reader and of a run'],
  },
  {
    fault: 'cuts long readers off',
    Fake: class extends Miswriting {
      protected override miswrite(scan: ProvisionalScan): ProvisionalScan {
        return { ...scan, reader: scan.reader.slice(0, 255) };
      }
    },
    fails: ['keeps every character of a reader and of a run'],
  },
  {
    fault: 'keeps whole milliseconds',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        return super.add({ ...scan, monotonicMs: Math.floor(scan.monotonicMs) });
      }
    },
    fails: ['lists a scan as it was added, with its sequence'],
  },
  {
    fault: 'keeps moments in 32 bits',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        return super.add({ ...scan, monotonicMs: Math.fround(scan.monotonicMs) });
      }
    },
    fails: ['lists a scan as it was added, with its sequence'],
  },
  {
    fault: 'keeps timestamps in 32 bits',
    Fake: class extends Miswriting {
      protected override miswrite(scan: ProvisionalScan): ProvisionalScan {
        return {
          ...scan,
          shown: toTimestamp(scan.shown >>> 0),
          notBefore: toTimestamp(scan.notBefore >>> 0),
        };
      }
    },
    fails: ['keeps the first and the last day and timestamp that exist'],
  },
  {
    fault: 'keeps days in 31 bits',
    Fake: class extends Misfiling {
      protected override misfile(filing: Filing): Filing {
        return { ...filing, day: (filing.day | 0) as Filing['day'] };
      }
    },
    fails: ['keeps the first and the last day and timestamp that exist'],
  },
  {
    fault: 'takes tags for one whose ids begin alike',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        return super.add({ ...scan, id: scan.id.slice(0, 6) as TallyId });
      }
    },
    fails: listings.filter(
      (title) =>
        title !== 'lists scans in the order of their sequences' &&
        title !== 'places a scan once when several do it at the same time',
    ),
  },
  {
    fault: 'knows scans by tag and moment alone',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        const known = [...this.scans.bySequence.values()].find(
          ({ id, monotonicMs }) => id === scan.id && monotonicMs === scan.monotonicMs,
        );
        return super.add(known ?? scan);
      }
    },
    fails: ['keeps every character of a reader and of a run'],
  },
  {
    fault: 'knows scans by run and moment alone',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        const known = [...this.scans.bySequence.values()].find(
          ({ bootId, monotonicMs }) => bootId === scan.bootId && monotonicMs === scan.monotonicMs,
        );
        return super.add(known ?? scan);
      }
    },
    fails: ['keeps scans apart that differ in the tag, the run or the moment alone'],
  },
  {
    fault: 'knows no scan again',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        this.scans.byMoment.clear();
        return super.add(scan);
      }
    },
    fails: ['keeps one scan when it is added several times at the same time'],
  },
  {
    fault: 'knows no scan again from another reader',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        const isKept = [...this.scans.bySequence.values()].some(({ reader }) => reader === scan.reader);
        if (!isKept) this.scans.byMoment.clear();
        return super.add(scan);
      }
    },
    fails: ['takes a scan of the same tag, run and moment for the one that it keeps'],
  },
  {
    fault: 'replaces the scan that it keeps by the one that is added again',
    Fake: class extends Sabotaged {
      override async add(scan: NewScan): Promise<number> {
        const sequence = await super.add(scan);
        this.scans.bySequence.set(sequence, { ...scan, sequence });
        return sequence;
      }
    },
    fails: ['keeps the filing when the scan is added again'],
  },
  {
    fault: 'forgets the filing of a scan that is added',
    Fake: class extends Miswriting {
      protected override miswrite(scan: ProvisionalScan): ProvisionalScan {
        const { sequence, id, reader, bootId, monotonicMs, shown, notBefore } = scan;
        return { sequence, id, reader, bootId, monotonicMs, shown, notBefore };
      }
    },
    fails: ['keeps a filing that a scan is added with'],
  },
  {
    fault: 'forgets estimates',
    Fake: class extends Misfiling {
      protected override misfile({ day, at, isRecorded }: Filing): Filing {
        return { day, at, isRecorded };
      }
    },
    fails: ['notes the filing of a scan and of no other one'],
  },
  {
    fault: 'keeps the first filing',
    Fake: class extends Misfiling {
      protected override misfile(filing: Filing, known: Filing | undefined): Filing {
        return known ?? filing;
      }
    },
    fails: ['replaces a filing as a whole'],
  },
  {
    fault: 'keeps the estimate of an earlier filing',
    Fake: class extends Misfiling {
      protected override misfile(filing: Filing, known: Filing | undefined): Filing {
        return { ...known, ...filing };
      }
    },
    fails: ['replaces a filing as a whole'],
  },
  {
    fault: 'takes every filing for recorded',
    Fake: class extends Misfiling {
      protected override misfile(filing: Filing): Filing {
        return { ...filing, isRecorded: true };
      }
    },
    fails: ['notes the filing of a scan and of no other one'],
  },
  {
    fault: 'settles everything',
    Fake: class extends Sabotaged {
      override async settle(_: number, filing: Filing): Promise<void> {
        for (const sequence of this.scans.bySequence.keys()) await super.settle(sequence, filing);
      }
    },
    fails: [
      'rejects settle with NOT_OPEN before it was opened',
      'rejects settle with NOT_OPEN after it was closed',
    ],
  },
  {
    fault: 'rejects when an unknown sequence is settled',
    Fake: class extends Sabotaged {
      override async settle(sequence: number, filing: Filing): Promise<void> {
        await super.settle(sequence, filing);
        if (!this.scans.bySequence.has(sequence)) throw new Error('there is no such scan');
      }
    },
    fails: [
      'lets settle finish when close is called meanwhile',
      'does nothing when a sequence is settled that it does not hold',
    ],
  },
  {
    fault: 'rejects when an unknown sequence is removed',
    Fake: class extends Sabotaged {
      override async remove(sequence: number): Promise<void> {
        if (this.status === 'open' && !this.scans.bySequence.has(sequence)) throw new Error('no such scan');
        await super.remove(sequence);
      }
    },
    fails: [
      'lets remove finish when close is called meanwhile',
      'does nothing when a sequence is removed that it does not hold',
    ],
  },
  {
    fault: 'removes everything',
    Fake: class extends Sabotaged {
      override async remove(): Promise<void> {
        for (const sequence of this.scans.bySequence.keys()) await super.remove(sequence);
      }
    },
    fails: [
      'rejects remove with NOT_OPEN before it was opened',
      'rejects remove with NOT_OPEN after it was closed',
    ],
  },
  {
    fault: 'removes everything up to a sequence',
    Fake: class extends Sabotaged {
      override async remove(last: number): Promise<void> {
        await super.remove(last);
        for (const sequence of this.scans.bySequence.keys())
          if (sequence < last) await super.remove(sequence);
      }
    },
    fails: ['removes a scan and no other one'],
  },
  {
    fault: 'removes nothing',
    Fake: class extends Sabotaged {
      override remove(): Promise<void> {
        return super.remove(0);
      }
    },
    fails: ['places no scan that it does not hold'],
  },
  {
    fault: 'remembers scans that it removed',
    Fake: class extends Sabotaged {
      override async remove(sequence: number): Promise<void> {
        const known = new Map(this.scans.byMoment);
        await super.remove(sequence);
        for (const [moment, each] of known) this.scans.byMoment.set(moment, each);
      }
    },
    fails: ['never gives a sequence again, not even the highest or the only one'],
  },
  {
    fault: 'adds after a while, the last one first',
    Fake: class extends Sabotaged {
      #waiting = 0;

      override async add(scan: NewScan): Promise<number> {
        const turns = 100 - this.#waiting++;
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        this.#waiting--;
        return super.add(scan);
      }
    },
    fails: [
      'lets add finish when close is called meanwhile',
      'gives scans that are added at the same time sequences in the order of the calls',
    ],
  },
  {
    fault: 'looks for a scan, then adds it',
    Fake: class extends Sabotaged {
      override add(scan: NewScan): Promise<number> {
        return this.run(async () => {
          const known = [...this.scans.byMoment];
          await Promise.resolve();
          this.scans.byMoment.clear();
          for (const [moment, sequence] of known) this.scans.byMoment.set(moment, sequence);
          return super.add(scan);
        });
      }
    },
    fails: ['keeps one scan when it is added several times at the same time'],
  },
  {
    fault: 'reads everything, then writes everything',
    Fake: class extends Sabotaged {
      override settle(sequence: number, filing: Filing): Promise<void> {
        return this.run(async () => {
          const before = new Map(this.scans.bySequence);
          await Promise.resolve();
          this.scans.bySequence.clear();
          for (const [each, scan] of before) this.scans.bySequence.set(each, scan);
          return super.settle(sequence, filing);
        });
      }
    },
    fails: ['loses nothing of what is added, settled and removed at the same time'],
  },
  {
    fault: 'writes to what was listed before',
    Fake: class extends Sabotaged {
      readonly #listed: ProvisionalScan[] = [];

      override async list(): Promise<readonly ProvisionalScan[]> {
        this.#listed.splice(0, this.#listed.length, ...(await super.list()));
        return this.#listed;
      }

      override async settle(sequence: number, filing: Filing): Promise<void> {
        await super.settle(sequence, filing);
        if (this.#listed.length > 0) await this.list();
      }
    },
    fails: ['does not change what was listed when more is written'],
  },
  {
    fault: 'forgets everything in a restart',
    Fake: class extends MemoryProvisionalStore {
      constructor() {
        super(noProvisionalScans());
      }
    },
    fails: ['never gives a sequence again after a restart, even if nothing is left'],
  },
  {
    fault: 'forgets in a restart by what scans are known',
    Fake: class extends Sabotaged {
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        scans.byMoment.clear();
      }
    },
    fails: ['knows a scan again after a restart'],
  },
  {
    fault: 'brings removed scans back in a restart',
    Fake: class extends Sabotaged {
      readonly #removed = new Map<number, ProvisionalScan>();

      override remove(sequence: number): Promise<void> {
        const scan = this.scans.bySequence.get(sequence);
        if (scan !== undefined) this.#removed.set(sequence, scan);
        return super.remove(sequence);
      }

      protected override async onClose(): Promise<void> {
        for (const [sequence, scan] of this.#removed) this.scans.bySequence.set(sequence, scan);
      }
    },
    fails: ['keeps a removed scan removed across a restart'],
  },
  {
    fault: 'places a scan that was placed already',
    Fake: class extends Sabotaged {
      override async place(sequence: number, filing: Filing): Promise<Filing | undefined> {
        await this.settle(sequence, filing);
        return this.scans.bySequence.get(sequence)?.filing;
      }
    },
    fails: ['places a scan that has no filing yet, and no other one'],
  },
  {
    fault: 'says that it placed a scan that was placed already',
    Fake: class extends Sabotaged {
      override async place(sequence: number, filing: Filing): Promise<Filing | undefined> {
        return (await super.place(sequence, filing)) && filing;
      }
    },
    fails: ['places a scan once when several do it at the same time'],
  },
  {
    fault: 'places what it does not hold any more',
    Fake: class extends Sabotaged {
      override async place(sequence: number, filing: Filing): Promise<Filing | undefined> {
        return (await super.place(sequence, filing)) ?? filing;
      }
    },
    fails: ['places no scan that it does not hold'],
  },
  ...closedStoreSabotages(MemoryProvisionalStore, operations),
];

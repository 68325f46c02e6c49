import { toTimestamp, type Filing, type ProvisionalScan, type TallyId } from '@tallybook/domain';
import { MemoryProvisionalStore, noProvisionalScans, type MemoryProvisionalScans } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Sabotage } from '../sabotage.js';

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
  ...faults<new (scans: MemoryProvisionalScans) => MemoryProvisionalStore>({
    'is not empty at first': class extends Sabotaged {
      static readonly fails = ['has no scans at first', ...listings];
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        if (scans.lastSequence > 0) return;
        const id = 'FFFFFFFE' as TallyId;
        const none = toTimestamp(0);
        const scan = { id, reader: '', bootId: '', monotonicMs: 0, shown: none, notBefore: none };
        scans.bySequence.set(++scans.lastSequence, { ...scan, sequence: scans.lastSequence });
      }
    },
    'keeps nothing': class extends Sabotaged {
      static readonly fails = ['lets add finish when close is called meanwhile', ...listings];
      override async add(scan: NewScan): Promise<number> {
        const sequence = await super.add(scan);
        await super.remove(sequence);
        return sequence;
      }
    },
    'gives sequences from 0': class extends Sabotaged {
      static readonly fails = ['gives each scan a larger sequence than the one before, from 1'];
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        if (scans.bySequence.size === 0 && scans.lastSequence === 0) scans.lastSequence = -1;
      }
    },
    'gives one more than the highest sequence that is kept': class extends Sabotaged {
      static readonly fails = [
        'never gives a sequence again, not even the highest or the only one',
        'takes a scan that was removed for a new one',
      ];
      override add(scan: NewScan): Promise<number> {
        this.scans.lastSequence = Math.max(0, ...this.scans.bySequence.keys());
        return super.add(scan);
      }
    },
    'begins after the highest sequence that is kept when it starts': class extends Sabotaged {
      static readonly fails = ['never gives a sequence again after a restart, even if nothing is left'];
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        scans.lastSequence = Math.max(0, ...scans.bySequence.keys());
      }
    },
    'gives descending sequences': class extends Sabotaged {
      static readonly fails = ['gives each scan a larger sequence than the one before, from 1'];
      override add(scan: NewScan): Promise<number> {
        this.scans.lastSequence = Math.min(1_000, ...this.scans.bySequence.keys()) - 2;
        return super.add(scan);
      }
    },
    'lists scans by the digits of their sequences': class extends Misreading {
      static readonly fails = ['lists scans in the order of their sequences'];
      protected override misread(scans: readonly ProvisionalScan[]): readonly ProvisionalScan[] {
        return [...scans].sort((a, b) => (String(a.sequence) < String(b.sequence) ? -1 : 1));
      }
    },
    'lists scans by the moment of taking': class extends Misreading {
      static readonly fails = [
        'lists scans in the order of their sequences',
        'keeps moments on the monotonic clock exactly',
      ];
      protected override misread(scans: readonly ProvisionalScan[]): readonly ProvisionalScan[] {
        return [...scans].sort((a, b) => a.monotonicMs - b.monotonicMs);
      }
    },
    'lists the last settled scan last': class extends Sabotaged {
      static readonly fails = ['keeps what it acknowledged across a restart'];
      override async settle(sequence: number, filing: Filing): Promise<void> {
        await super.settle(sequence, filing);
        const scan = this.scans.bySequence.get(sequence);
        if (scan === undefined || !this.scans.bySequence.delete(sequence)) return;
        this.scans.bySequence.set(sequence, scan);
      }
    },
    'lists only what is not settled': class extends Misreading {
      static readonly fails = ['places a scan once when several do it at the same time'];
      protected override misread(scans: readonly ProvisionalScan[]): readonly ProvisionalScan[] {
        return scans.filter(({ filing }) => filing === undefined);
      }
    },
    'keeps texts in Latin-1': class extends Miswriting {
      static readonly fails = ['keeps every character of a reader and of a run'];
      protected override miswrite(scan: ProvisionalScan): ProvisionalScan {
        const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
        return { ...scan, reader: latin1(scan.reader), bootId: latin1(scan.bootId) };
      }
    },
    'cuts long readers off': class extends Miswriting {
      static readonly fails = ['keeps every character of a reader and of a run'];
      protected override miswrite(scan: ProvisionalScan): ProvisionalScan {
        return { ...scan, reader: scan.reader.slice(0, 255) };
      }
    },
    'keeps whole milliseconds': class extends Sabotaged {
      static readonly fails = ['lists a scan as it was added, with its sequence'];
      override add(scan: NewScan): Promise<number> {
        return super.add({ ...scan, monotonicMs: Math.floor(scan.monotonicMs) });
      }
    },
    'keeps moments in 32 bits': class extends Sabotaged {
      static readonly fails = ['lists a scan as it was added, with its sequence'];
      override add(scan: NewScan): Promise<number> {
        return super.add({ ...scan, monotonicMs: Math.fround(scan.monotonicMs) });
      }
    },
    'keeps timestamps in 32 bits': class extends Miswriting {
      static readonly fails = ['keeps the first and the last day and timestamp that exist'];
      protected override miswrite(scan: ProvisionalScan): ProvisionalScan {
        return {
          ...scan,
          shown: toTimestamp(scan.shown >>> 0),
          notBefore: toTimestamp(scan.notBefore >>> 0),
        };
      }
    },
    'keeps days in 31 bits': class extends Misfiling {
      static readonly fails = ['keeps the first and the last day and timestamp that exist'];
      protected override misfile(filing: Filing): Filing {
        return { ...filing, day: (filing.day | 0) as Filing['day'] };
      }
    },
    'takes tags for one whose ids begin alike': class extends Sabotaged {
      static readonly fails = listings.filter(
        (title) =>
          title !== 'lists scans in the order of their sequences' &&
          title !== 'places a scan once when several do it at the same time',
      );
      override add(scan: NewScan): Promise<number> {
        return super.add({ ...scan, id: scan.id.slice(0, 6) as TallyId });
      }
    },
    'knows scans by tag and moment alone': class extends Sabotaged {
      static readonly fails = ['keeps every character of a reader and of a run'];
      override add(scan: NewScan): Promise<number> {
        const known = [...this.scans.bySequence.values()].find(
          ({ id, monotonicMs }) => id === scan.id && monotonicMs === scan.monotonicMs,
        );
        return super.add(known ?? scan);
      }
    },
    'knows scans by run and moment alone': class extends Sabotaged {
      static readonly fails = ['keeps scans apart that differ in the tag, the run or the moment alone'];
      override add(scan: NewScan): Promise<number> {
        const known = [...this.scans.bySequence.values()].find(
          ({ bootId, monotonicMs }) => bootId === scan.bootId && monotonicMs === scan.monotonicMs,
        );
        return super.add(known ?? scan);
      }
    },
    'knows no scan again': class extends Sabotaged {
      static readonly fails = ['keeps one scan when it is added several times at the same time'];
      override add(scan: NewScan): Promise<number> {
        this.scans.byMoment.clear();
        return super.add(scan);
      }
    },
    'knows no scan again from another reader': class extends Sabotaged {
      static readonly fails = ['takes a scan of the same tag, run and moment for the one that it keeps'];
      override add(scan: NewScan): Promise<number> {
        const isKept = [...this.scans.bySequence.values()].some(({ reader }) => reader === scan.reader);
        if (!isKept) this.scans.byMoment.clear();
        return super.add(scan);
      }
    },
    'replaces the scan that it keeps by the one that is added again': class extends Sabotaged {
      static readonly fails = ['keeps the filing when the scan is added again'];
      override async add(scan: NewScan): Promise<number> {
        const sequence = await super.add(scan);
        this.scans.bySequence.set(sequence, { ...scan, sequence });
        return sequence;
      }
    },
    'forgets the filing of a scan that is added': class extends Miswriting {
      static readonly fails = ['keeps a filing that a scan is added with'];
      protected override miswrite(scan: ProvisionalScan): ProvisionalScan {
        const { sequence, id, reader, bootId, monotonicMs, shown, notBefore } = scan;
        return { sequence, id, reader, bootId, monotonicMs, shown, notBefore };
      }
    },
    'forgets estimates': class extends Misfiling {
      static readonly fails = ['notes the filing of a scan and of no other one'];
      protected override misfile({ day, at, isRecorded }: Filing): Filing {
        return { day, at, isRecorded };
      }
    },
    'keeps the first filing': class extends Misfiling {
      static readonly fails = ['replaces a filing as a whole'];
      protected override misfile(filing: Filing, known: Filing | undefined): Filing {
        return known ?? filing;
      }
    },
    'keeps the estimate of an earlier filing': class extends Misfiling {
      static readonly fails = ['replaces a filing as a whole'];
      protected override misfile(filing: Filing, known: Filing | undefined): Filing {
        return { ...known, ...filing };
      }
    },
    'takes every filing for recorded': class extends Misfiling {
      static readonly fails = ['notes the filing of a scan and of no other one'];
      protected override misfile(filing: Filing): Filing {
        return { ...filing, isRecorded: true };
      }
    },
    'settles everything': class extends Sabotaged {
      static readonly fails = [
        'rejects settle with NOT_OPEN before it was opened',
        'rejects settle with NOT_OPEN after it was closed',
      ];
      override async settle(_: number, filing: Filing): Promise<void> {
        for (const sequence of this.scans.bySequence.keys()) await super.settle(sequence, filing);
      }
    },
    'rejects when an unknown sequence is settled': class extends Sabotaged {
      static readonly fails = [
        'lets settle finish when close is called meanwhile',
        'does nothing when a sequence is settled that it does not hold',
      ];
      override async settle(sequence: number, filing: Filing): Promise<void> {
        await super.settle(sequence, filing);
        if (!this.scans.bySequence.has(sequence)) throw new Error('there is no such scan');
      }
    },
    'rejects when an unknown sequence is removed': class extends Sabotaged {
      static readonly fails = [
        'lets remove finish when close is called meanwhile',
        'does nothing when a sequence is removed that it does not hold',
      ];
      override async remove(sequence: number): Promise<void> {
        if (this.status === 'open' && !this.scans.bySequence.has(sequence)) throw new Error('no such scan');
        await super.remove(sequence);
      }
    },
    'removes everything': class extends Sabotaged {
      static readonly fails = [
        'rejects remove with NOT_OPEN before it was opened',
        'rejects remove with NOT_OPEN after it was closed',
      ];
      override async remove(): Promise<void> {
        for (const sequence of this.scans.bySequence.keys()) await super.remove(sequence);
      }
    },
    'removes everything up to a sequence': class extends Sabotaged {
      static readonly fails = ['removes a scan and no other one'];
      override async remove(last: number): Promise<void> {
        await super.remove(last);
        for (const sequence of this.scans.bySequence.keys())
          if (sequence < last) await super.remove(sequence);
      }
    },
    'removes nothing': class extends Sabotaged {
      static readonly fails = ['places no scan that it does not hold'];
      override remove(): Promise<void> {
        return super.remove(0);
      }
    },
    'remembers scans that it removed': class extends Sabotaged {
      static readonly fails = ['never gives a sequence again, not even the highest or the only one'];
      override async remove(sequence: number): Promise<void> {
        const known = new Map(this.scans.byMoment);
        await super.remove(sequence);
        for (const [moment, each] of known) this.scans.byMoment.set(moment, each);
      }
    },
    'adds after a while, the last one first': class extends Sabotaged {
      static readonly fails = [
        'lets add finish when close is called meanwhile',
        'gives scans that are added at the same time sequences in the order of the calls',
      ];
      #waiting = 0;

      override async add(scan: NewScan): Promise<number> {
        const turns = 100 - this.#waiting++;
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        this.#waiting--;
        return super.add(scan);
      }
    },
    'looks for a scan, then adds it': class extends Sabotaged {
      static readonly fails = ['keeps one scan when it is added several times at the same time'];
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
    'reads everything, then writes everything': class extends Sabotaged {
      static readonly fails = ['loses nothing of what is added, settled and removed at the same time'];
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
    'writes to what was listed before': class extends Sabotaged {
      static readonly fails = ['does not change what was listed when more is written'];
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
    'forgets everything in a restart': class extends MemoryProvisionalStore {
      static readonly fails = ['never gives a sequence again after a restart, even if nothing is left'];
      constructor() {
        super(noProvisionalScans());
      }
    },
    'forgets in a restart by what scans are known': class extends Sabotaged {
      static readonly fails = ['knows a scan again after a restart'];
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        scans.byMoment.clear();
      }
    },
    'brings removed scans back in a restart': class extends Sabotaged {
      static readonly fails = ['keeps a removed scan removed across a restart'];
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
    'places a scan that was placed already': class extends Sabotaged {
      static readonly fails = ['places a scan that has no filing yet, and no other one'];
      override async place(sequence: number, filing: Filing): Promise<Filing | undefined> {
        await this.settle(sequence, filing);
        return this.scans.bySequence.get(sequence)?.filing;
      }
    },
    'says that it placed a scan that was placed already': class extends Sabotaged {
      static readonly fails = ['places a scan once when several do it at the same time'];
      override async place(sequence: number, filing: Filing): Promise<Filing | undefined> {
        return (await super.place(sequence, filing)) && filing;
      }
    },
    'places what it does not hold any more': class extends Sabotaged {
      static readonly fails = ['places no scan that it does not hold'];
      override async place(sequence: number, filing: Filing): Promise<Filing | undefined> {
        return (await super.place(sequence, filing)) ?? filing;
      }
    },
  }),
  ...closedStoreSabotages(MemoryProvisionalStore, operations),
];

import { toTimestamp, type Filing, type ProvisionalScan, type TallyId } from '@tallybook/domain';
import { MemoryProvisionalStore, type MemoryProvisionalScans } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Methods, showing } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends showing(MemoryProvisionalStore, 'scans') {}

/** Changes a stored scan, except its key. */
const miswriting = (change: (scan: ProvisionalScan) => ProvisionalScan): Methods<Sabotaged> => ({
  add: (sound, fake) => async (scan) => {
    const sequence = await sound(scan);
    const kept = fake.scans.bySequence.get(sequence);
    if (kept !== undefined) fake.scans.bySequence.set(sequence, change(kept));
    return sequence;
  },
});

/** Changes a noted filing. */
const misfiling = (change: (filing: Filing, known: Filing | undefined) => Filing): Methods<Sabotaged> => ({
  settle: (sound, fake) => (sequence, filing) =>
    sound(sequence, change(filing, fake.scans.bySequence.get(sequence)?.filing)),
});

/** Changes the list. */
const misreading = (
  change: (scans: readonly ProvisionalScan[]) => readonly ProvisionalScan[],
): Methods<Sabotaged> => ({ list: (sound) => () => sound().then(change) });

const operations = ['add', 'list', 'place', 'settle', 'remove'];

export const provisionalStoreSabotages = [
  ...faults(Sabotaged, {
    'is not empty at first': class extends Sabotaged {
      static readonly fails = [
        'has no scans at first',
        'takes a scan of the same tag, run and moment for the one that it keeps',
        'knows a scan again after a restart',
      ];
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        if (scans.lastSequence > 0) return;
        const id = 'FFFFFFFE' as TallyId;
        const none = toTimestamp(0);
        const scan = { id, reader: '', bootId: '', monotonicMs: 0, shown: none, notBefore: none };
        scans.bySequence.set(++scans.lastSequence, { ...scan, sequence: scans.lastSequence });
      }
    },
    'keeps nothing': {
      fails: [
        'lets add finish when close is called meanwhile',
        'places a scan once when several do it at the same time',
      ],
      add: (sound, fake) => async (scan) => {
        const sequence = await sound(scan);
        await fake.remove(sequence);
        return sequence;
      },
    },
    'gives one more than the highest sequence that is kept': {
      fails: [
        'never gives a sequence again, not even the highest or the only one',
        'takes a scan that was removed for a new one',
      ],
      add: (sound, fake) => (scan) => {
        fake.scans.lastSequence = Math.max(0, ...fake.scans.bySequence.keys());
        return sound(scan);
      },
    },
    'begins after the highest sequence that is kept when it starts': class extends Sabotaged {
      static readonly fails = ['never gives a sequence again after a restart, even if nothing is left'];
      constructor(scans: MemoryProvisionalScans) {
        super(scans);
        scans.lastSequence = Math.max(0, ...scans.bySequence.keys());
      }
    },
    'gives descending sequences': {
      fails: ['gives each scan a larger sequence than the one before, from 1'],
      add: (sound, fake) => (scan) => {
        fake.scans.lastSequence = Math.min(1_000, ...fake.scans.bySequence.keys()) - 2;
        return sound(scan);
      },
    },
    'lists scans by the digits of their sequences': {
      fails: ['lists scans in the order of their sequences'],
      ...misreading((scans) => [...scans].sort((a, b) => (String(a.sequence) < String(b.sequence) ? -1 : 1))),
    },
    'lists scans by the moment of taking': {
      fails: ['lists scans in the order of their sequences', 'keeps moments on the monotonic clock exactly'],
      ...misreading((scans) => [...scans].sort((a, b) => a.monotonicMs - b.monotonicMs)),
    },
    'lists the last settled scan last': {
      fails: ['keeps what it acknowledged across a restart'],
      settle: (sound, fake) => async (sequence, filing) => {
        await sound(sequence, filing);
        const scan = fake.scans.bySequence.get(sequence);
        if (scan === undefined || !fake.scans.bySequence.delete(sequence)) return;
        fake.scans.bySequence.set(sequence, scan);
      },
    },
    'keeps texts in Latin-1': {
      fails: ['keeps every character of a reader and of a run'],
      ...miswriting((scan) => {
        const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
        return { ...scan, reader: latin1(scan.reader), bootId: latin1(scan.bootId) };
      }),
    },
    'cuts long readers off': {
      fails: ['keeps every character of a reader and of a run'],
      ...miswriting((scan) => ({ ...scan, reader: scan.reader.slice(0, 255) })),
    },
    'keeps whole milliseconds': {
      fails: ['lists a scan as it was added, with its sequence'],
      add: (sound) => (scan) => sound({ ...scan, monotonicMs: Math.floor(scan.monotonicMs) }),
    },
    'keeps moments in 32 bits': {
      fails: ['lists a scan as it was added, with its sequence'],
      add: (sound) => (scan) => sound({ ...scan, monotonicMs: Math.fround(scan.monotonicMs) }),
    },
    'keeps timestamps in 32 bits': {
      fails: ['keeps the first and the last day and timestamp that exist'],
      ...miswriting((scan) => ({
        ...scan,
        shown: toTimestamp(scan.shown >>> 0),
        notBefore: toTimestamp(scan.notBefore >>> 0),
      })),
    },
    'keeps days in 31 bits': {
      fails: ['keeps the first and the last day and timestamp that exist'],
      ...misfiling((filing) => ({ ...filing, day: (filing.day | 0) as Filing['day'] })),
    },
    'knows scans by run and moment alone': {
      fails: ['keeps scans apart that differ in the tag, the run or the moment alone'],
      add: (sound, fake) => (scan) => {
        const known = [...fake.scans.bySequence.values()].find(
          ({ bootId, monotonicMs }) => bootId === scan.bootId && monotonicMs === scan.monotonicMs,
        );
        return sound(known ?? scan);
      },
    },
    'knows no scan again': {
      fails: ['keeps one scan when it is added several times at the same time'],
      add: (sound, fake) => (scan) => {
        fake.scans.byMoment.clear();
        return sound(scan);
      },
    },
    'knows no scan again from another reader': {
      fails: ['takes a scan of the same tag, run and moment for the one that it keeps'],
      add: (sound, fake) => (scan) => {
        const isKept = [...fake.scans.bySequence.values()].some(({ reader }) => reader === scan.reader);
        if (!isKept) fake.scans.byMoment.clear();
        return sound(scan);
      },
    },
    'replaces the scan that it keeps by the one that is added again': {
      fails: ['keeps the filing when the scan is added again'],
      add: (sound, fake) => async (scan) => {
        const sequence = await sound(scan);
        fake.scans.bySequence.set(sequence, { ...scan, sequence });
        return sequence;
      },
    },
    'forgets the filing of a scan that is added': {
      fails: ['keeps a filing that a scan is added with'],
      ...miswriting((scan) => {
        const { sequence, id, reader, bootId, monotonicMs, shown, notBefore } = scan;
        return { sequence, id, reader, bootId, monotonicMs, shown, notBefore };
      }),
    },
    'forgets estimates': {
      fails: ['notes the filing of a scan and of no other one'],
      ...misfiling(({ day, at, isRecorded }) => ({ day, at, isRecorded })),
    },
    'keeps the first filing': {
      fails: ['replaces a filing as a whole'],
      ...misfiling((filing, known) => known ?? filing),
    },
    'keeps the estimate of an earlier filing': {
      fails: ['replaces a filing as a whole'],
      ...misfiling((filing, known) => ({ ...known, ...filing })),
    },
    'takes every filing for recorded': {
      fails: ['notes the filing of a scan and of no other one'],
      ...misfiling((filing) => ({ ...filing, isRecorded: true })),
    },
    'settles everything': {
      fails: [
        'rejects settle with NOT_OPEN before it was opened',
        'rejects settle with NOT_OPEN after it was closed',
      ],
      settle: (sound, fake) => async (_, filing) => {
        for (const sequence of fake.scans.bySequence.keys()) await sound(sequence, filing);
      },
    },
    'rejects when an unknown sequence is settled': {
      fails: [
        'lets settle finish when close is called meanwhile',
        'does nothing when a sequence is settled that it does not hold',
      ],
      settle: (sound, fake) => async (sequence, filing) => {
        await sound(sequence, filing);
        if (!fake.scans.bySequence.has(sequence)) throw new Error('there is no such scan');
      },
    },
    'rejects when an unknown sequence is removed': {
      fails: [
        'lets remove finish when close is called meanwhile',
        'does nothing when a sequence is removed that it does not hold',
      ],
      remove: (sound, fake) => async (sequence) => {
        if (fake.status === 'open' && !fake.scans.bySequence.has(sequence)) throw new Error('no such scan');
        await sound(sequence);
      },
    },
    'removes everything': {
      fails: [
        'rejects remove with NOT_OPEN before it was opened',
        'rejects remove with NOT_OPEN after it was closed',
      ],
      remove: (sound, fake) => async () => {
        for (const sequence of fake.scans.bySequence.keys()) await sound(sequence);
      },
    },
    'removes everything up to a sequence': {
      fails: ['removes a scan and no other one'],
      remove: (sound, fake) => async (last) => {
        await sound(last);
        for (const sequence of fake.scans.bySequence.keys()) if (sequence < last) await sound(sequence);
      },
    },
    'remembers scans that it removed': {
      fails: ['never gives a sequence again, not even the highest or the only one'],
      remove: (sound, fake) => async (sequence) => {
        const known = new Map(fake.scans.byMoment);
        await sound(sequence);
        for (const [moment, each] of known) fake.scans.byMoment.set(moment, each);
      },
    },
    'adds after a while, the last one first': {
      fails: [
        'lets add finish when close is called meanwhile',
        'gives scans that are added at the same time sequences in the order of the calls',
      ],
      add: (sound) => {
        let waiting = 0;
        return async (scan) => {
          const turns = 100 - waiting++;
          for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          waiting--;
          return sound(scan);
        };
      },
    },
    'reads everything, then writes everything': {
      fails: ['loses nothing of what is added, settled and removed at the same time'],
      settle: (sound, fake) => (sequence, filing) =>
        fake.run(async () => {
          const before = new Map(fake.scans.bySequence);
          await Promise.resolve();
          fake.scans.bySequence.clear();
          for (const [each, scan] of before) fake.scans.bySequence.set(each, scan);
          return sound(sequence, filing);
        }),
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
    'places a scan that was placed already': {
      fails: ['places a scan that has no filing yet, and no other one'],
      place: (_, fake) => async (sequence, filing) => {
        await fake.settle(sequence, filing);
        return fake.scans.bySequence.get(sequence)?.filing;
      },
    },
    'says that it placed a scan that was placed already': {
      fails: ['places a scan once when several do it at the same time'],
      place: (sound) => async (sequence, filing) => (await sound(sequence, filing)) && filing,
    },
    'places what it does not hold any more': {
      fails: ['places no scan that it does not hold'],
      place: (sound) => async (sequence, filing) => (await sound(sequence, filing)) ?? filing,
    },
  }),
  ...closedStoreSabotages(MemoryProvisionalStore, operations),
];

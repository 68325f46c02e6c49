import { closeSync, openSync } from 'node:fs';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp, type Change, type Journal } from '@tallybook/domain';
import { Random } from '../random.js';
import { AnnouncedScans } from '../soak/announced-scans.js';
import { ALLOWED_GROWTH, judgeGrowth, MOST_DISK_BESIDE, type Sample } from '../soak/judge-growth.js';
import type { Held } from '../soak/measure.js';
import { ScanLedger } from '../soak/scan-ledger.js';
import { runSoak } from '../soak/soak.js';
import { planDay } from '../soak/working-day.js';

const DAYS = 6;
const held: Held = { heap: 2e7, buffers: 3e5, rss: 1e8, descriptors: 25, handles: 3 };

/** Ten samples, of which some things grow by so much from each to the next. */
function samples(growth: Partial<Held & { disk: number }> = {}): Sample[] {
  return Array.from({ length: 10 }, (_, n) => {
    const grown = {
      heap: held.heap + n * (growth.heap ?? 0),
      buffers: held.buffers + n * (growth.buffers ?? 0),
      rss: held.rss + n * (growth.rss ?? 0),
      descriptors: held.descriptors + n * (growth.descriptors ?? 0),
      handles: held.handles + n * (growth.handles ?? 0),
    };
    const data = 10_000 * n;
    return {
      day: n,
      open: { ...grown, descriptors: 40 },
      closed: grown,
      data,
      disk: data + n * (growth.disk ?? 0),
    };
  });
}

describe('judgeGrowth', () => {
  it('finds nothing where only the data grow', () => {
    expect(judgeGrowth(held, samples())).to.be.empty;
  });

  it('takes what is within the bounds for noise', () => {
    const growth = {
      heap: ALLOWED_GROWTH.heap / 10,
      buffers: ALLOWED_GROWTH.buffers / 10,
      rss: ALLOWED_GROWTH.rss / 10,
    };
    expect(judgeGrowth(held, samples(growth))).to.be.empty;
  });

  for (const [what, growth] of Object.entries({
    heap: ALLOWED_GROWTH.heap / 5,
    buffers: ALLOWED_GROWTH.buffers / 5,
    rss: ALLOWED_GROWTH.rss / 5,
    descriptors: 1,
    handles: 1,
    disk: MOST_DISK_BESIDE,
  })) {
    it(`finds what grows: ${what}`, () => {
      expect(judgeGrowth(held, samples({ [what]: growth })).join()).to.include(
        what === 'disk' ? 'the store takes' : what,
      );
    });
  }
});

describe('ScanLedger', () => {
  it('agrees with a record that is exactly what was acknowledged, and with no other', () => {
    const ledger = new ScanLedger();
    const [day, id] = [toDay(1), parseTallyId('AB0001')];
    const at = (second: number): ReturnType<typeof toTimestamp> => toTimestamp(86_400 + second);
    for (const second of [1, 5, 9])
      ledger.add({ id, reader: 'door', day, at: at(second), bootId: '', monotonicMs: 0 } as never);
    ledger.endDay(day);
    ledger.endDay(toDay(2));
    const entry = { id, first: at(1), last: at(9), count: 3 };
    expect([ledger.count, ledger.days]).to.deep.equal([3, [day]]);
    expect(ledger.agrees(day, { day, entries: [entry] })).to.equal(true);
    for (const changed of [{ count: 2 }, { first: at(2) }, { last: at(8) }, { id: parseTallyId('AB0002') }]) {
      expect(ledger.agrees(day, { day, entries: [{ ...entry, ...changed }] })).to.equal(false);
    }
    expect(ledger.agrees(day, undefined)).to.equal(false);
    expect(ledger.agrees(toDay(2), undefined)).to.equal(true);
  });
});

describe('AnnouncedScans', () => {
  const id = parseTallyId('AB0001');
  const scanAt = (second: number): Change => ({
    kind: 'scan',
    day: toDay(0),
    id,
    at: toTimestamp(second),
    reader: 'door',
    outcome: 'counted',
  });
  const journalOf = (...changes: readonly Change[]): Pick<Journal, 'read'> => ({
    read: async (after) => ({
      isKnown: true,
      entries: changes.map((change, index) => ({ cursor: index + 1, change })).slice(after),
    }),
  });

  for (const [what, changes, problems] of [
    ['nothing wrong with a journal that tells them once and in order', [scanAt(1), scanAt(2)], 0],
    ['that the journal lacks one', [scanAt(1)], 1],
    ['that the journal tells one twice', [scanAt(1), scanAt(2), scanAt(2)], 1],
    ['that the journal tells them in another order', [scanAt(2), scanAt(1)], 1],
  ] as const) {
    it(`finds ${what}`, async () => {
      const announced = new AnnouncedScans();
      for (const at of [1, 2]) announced.add({ id, at: toTimestamp(at) });
      await announced.compare(journalOf(...changes));
      await announced.compare(journalOf(...changes, { kind: 'name', id, action: 'added' }));
      expect(announced.problems).to.have.lengthOf(problems);
      expect(announced.names).to.equal(1);
    });
  }

  it('finds that the journal does not know what comes next', async () => {
    const announced = new AnnouncedScans();
    await announced.compare({ read: async () => ({ isKnown: false, reason: 'too-old' }) });
    expect(announced.problems).to.have.lengthOf(1);
  });
});

describe('planDay', () => {
  it('plans the same for the same seed, in order, with everything that can happen', () => {
    const plan = (): ReturnType<typeof planDay> => {
      const random = new Random(5);
      return Array.from({ length: 20 }, () => planDay(random, 10, 4)).flat();
    };
    expect(plan()).to.deep.equal(plan());
    expect(new Set(plan().map(({ kind }) => kind))).to.have.keys('tap', 'rest', 'noise', 'unplug', 'plug');
    const oneDay = planDay(new Random(5), 10, 4).map(({ second }) => second);
    expect(oneDay).to.deep.equal(oneDay.toSorted((a, b) => a - b));
  });
});

describe('soak', function () {
  this.timeout(600_000);

  it('finds nothing wrong with the service, and everything that was acknowledged', async () => {
    const { failures, figures } = await runSoak(1, DAYS);
    expect(failures).to.be.empty;
    const figure = new Map(figures.map(({ what, value }) => [what, value]));
    expect(figure.get('scans acknowledged, and found at the end')).to.be.above(1_000);
    expect(figure.get('visits of viewers')).to.be.above(20);
    expect(figure.get('events that these viewers got')).to.be.above(1_000);
  });

  it('finds objects that are kept, descriptors that stay open, and timers that go on', async () => {
    const kept: object[] = [];
    const descriptors: number[] = [];
    const timers: NodeJS.Timeout[] = [];
    const leak = (): void => {
      kept.push(Array.from({ length: 100_000 }, (_, n) => ({ n })));
      descriptors.push(openSync('/dev/null', 'r'));
      timers.push(setInterval(() => undefined, 3_600_000));
    };
    const { failures } = await runSoak(1, DAYS, leak).finally(() => {
      for (const descriptor of descriptors) closeSync(descriptor);
      for (const timer of timers) clearInterval(timer);
    });
    expect(kept).to.have.length(DAYS);
    for (const what of [
      /heap of the (?:open|closed) service grew/,
      /holds \d+ descriptors/,
      /holds \d+ handles/,
    ]) {
      expect(failures.join('\n')).to.match(what);
    }
  });
});

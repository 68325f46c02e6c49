import { parseTallyId, toTimestamp, type ProvisionalScan } from '@tallybook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { placeScans } from '../../src/values/record/provisional.js';

const NOW = 1_763_700_000;
const LAST = NOW - 7 * 86_400;
const BUILT = NOW - 30 * 86_400;

let sequence = 0;

function scan(bootId: string, seconds: number, shown = 0, notBefore = LAST): ProvisionalScan {
  return {
    sequence: ++sequence,
    id: parseTallyId('04A2B3C4D5'),
    reader: 'door',
    bootId,
    monotonicMs: seconds * 1000,
    shown: toTimestamp(shown),
    notBefore: toTimestamp(notBefore),
  };
}

/** The present, in the boot `now` and 600 seconds after it began. */
const present = { now: toTimestamp(NOW), builtAt: toTimestamp(BUILT), bootId: 'now', monotonicMs: 600_000 };

const place = (
  ...scans: ProvisionalScan[]
): { at: number; estimate?: { earliest: number; latest: number } }[] =>
  placeScans(scans, present).map(({ at, estimate }) => ({ at, ...(estimate && { estimate }) }));

describe('placeScans', () => {
  it('gives scans of the present run of the monotonic clock their exact second', () => {
    expect(place(scan('now', 0), scan('now', 10.4), scan('now', 599.9))).to.deep.equal([
      { at: NOW - 600 },
      { at: NOW - 590 },
      { at: NOW - 1 },
    ]);
  });

  it('gives no scan a later time than now, whatever its moment', () => {
    expect(place(scan('before', 1e297), scan('before', 0))[0]).to.deep.include({ at: NOW - 600 });
    expect(place(scan('now', 1e297))).to.deep.equal([{ at: NOW }]);
  });

  it('gives scans of the run before times before this run began, with their distances', () => {
    expect(place(scan('before', 30), scan('before', 90))).to.deep.equal([
      { at: NOW - 660, estimate: { earliest: LAST, latest: NOW - 660 } },
      { at: NOW - 600, estimate: { earliest: LAST, latest: NOW - 600 } },
    ]);
  });

  it('gives scans of earlier runs times before the next run can have begun', () => {
    expect(place(scan('first', 5), scan('second', 100), scan('now', 1))).to.deep.equal([
      { at: NOW - 700, estimate: { earliest: LAST, latest: NOW - 700 } },
      { at: NOW - 600, estimate: { earliest: LAST, latest: NOW - 600 } },
      { at: NOW - 599 },
    ]);
  });

  it('uses the time that the clock showed if it is possible', () => {
    for (const shown of [LAST, LAST + 60, NOW - 600]) {
      expect(place(scan('before', 90, shown))[0]).to.deep.equal({
        at: shown,
        estimate: { earliest: LAST, latest: NOW - 600 },
      });
    }
    for (const shown of [0, LAST - 1, NOW - 599]) {
      expect(place(scan('before', 90, shown))[0]?.at, String(shown)).to.equal(NOW - 600);
    }
  });

  it('gives no scan a time after now because of a scan in the future', () => {
    for (const [shown, at] of [
      [NOW - 3600, NOW - 3600],
      [60, NOW - 600],
      [BUILT, BUILT],
      [BUILT - 1, NOW - 600],
    ] as const) {
      expect(place(scan('before', 90, shown, NOW + 1_000_000))).to.deep.equal([
        { at, estimate: { earliest: BUILT, latest: NOW - 600 } },
      ]);
    }
  });

  it('gives no scan a time before the build, or after now even if that is before the build', () => {
    const early = { ...present, builtAt: toTimestamp(NOW + 1) };
    const [placed] = placeScans([scan('before', 90, 0, NOW + 5)], early);
    expect(placed).to.deep.include({ at: NOW - 600, estimate: { earliest: NOW - 600, latest: NOW - 600 } });
  });

  it('gives no scan a time before 1970', () => {
    const early = { now: toTimestamp(10), builtAt: toTimestamp(0), bootId: 'now', monotonicMs: 20_000 };
    const [own, other] = placeScans([scan('before', 90, 0, 0), scan('now', 1)], early).reverse();
    expect(own?.at).to.equal(0);
    expect(other).to.deep.include({ at: 0, estimate: { earliest: 0, latest: 0 } });
  });

  it('gives an empty list for an empty list', () => {
    expect(place()).to.deep.equal([]);
  });

  it('keeps the order and the distances of a run with only impossible times', () => {
    const runs = fc.array(
      fc
        .array(fc.integer({ min: 0, max: 3600 }), { minLength: 1, maxLength: 5 })
        .map((times) => times.sort((a, b) => a - b)),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(runs, (times) => {
        const scans = times.flatMap((seconds, run) => seconds.map((each) => scan(`run ${run}`, each)));
        const placed = placeScans(scans, present);
        expect(placed.map((each) => each.scan)).to.deep.equal(scans);
        for (const [index, { scan: one, at }] of placed.entries()) {
          const next = placed[index + 1];
          if (next === undefined) continue;
          expect(next.at).to.be.at.least(at);
          if (next.scan.bootId !== one.bootId) continue;
          expect(next.at - at).to.equal((next.scan.monotonicMs - one.monotonicMs) / 1000);
        }
      }),
      { seed: 20_261_121 },
    );
  });
});

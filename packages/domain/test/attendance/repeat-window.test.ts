import { parseTallyId, RepeatWindow, toTimestamp, type Reading } from '@tallybook/domain';
import { REPEAT_WINDOW_MAX_MS } from '../../src/attendance/repeat-window.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { forAll } from '../fixtures/arbitraries.js';
import { thrownBy } from '../fixtures/throws.js';

const reading = (monotonicMs: number, id = '04A2B3C4D5', reader = 'door'): Reading => ({
  id: parseTallyId(id),
  reader,
  at: toTimestamp(1_763_700_000),
  monotonicMs,
});

describe('RepeatWindow', () => {
  it('slides: a tag that rests for an hour is one tap', () => {
    const window = new RepeatWindow(2000);
    const taps = Array.from({ length: 3600 }, (_, second) => window.accepts(reading(second * 1000)));
    expect(taps.filter(Boolean)).to.have.length(1);
    expect(window.accepts(reading(3_599_000 + 1999))).to.equal(false);
    expect(window.accepts(reading(3_599_000 + 1999 + 2000))).to.equal(true);
  });

  it('keeps tags apart', () => {
    const window = new RepeatWindow(2000);
    window.accepts(reading(0, '010203'));
    expect(window.accepts(reading(1, '01020304'))).to.equal(true);
  });

  it('treats every reading as a tap when it is 0, even a late one', () => {
    const window = new RepeatWindow(0);
    expect([0, 0, 2, 1].map((ms) => window.accepts(reading(ms)))).to.deep.equal([true, true, true, true]);
  });

  it('treats a reading as a new tap one second after a failed tap that may be tried again', () => {
    const window = new RepeatWindow(2000);
    window.accepts(reading(0));
    window.accepts(reading(0, '010203'));
    window.allowRetry(reading(0));
    expect(window.accepts(reading(999))).to.equal(false);
    expect(window.accepts(reading(1000, '010203'))).to.equal(false);
    expect(window.accepts(reading(1000))).to.equal(true);
    expect(window.accepts(reading(2000))).to.equal(false);
  });

  it('treats a tag that rests on the reader as a new tap once a second while its taps keep failing', () => {
    const window = new RepeatWindow(2000);
    const taps = Array.from({ length: 100 }, (_, n) => reading(n * 100)).filter((each) => {
      if (!window.accepts(each)) return false;
      window.allowRetry(each);
      return true;
    });
    expect(taps.map(({ monotonicMs }) => monotonicMs)).to.deep.equal(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((s) => s * 1000),
    );
  });

  it('treats a late reading as a separate tap, unless it is close to the one before', () => {
    const window = new RepeatWindow(2000);
    window.accepts(reading(100_000));
    expect([50_000, 51_000, 60_000, 100_500].map((ms) => window.accepts(reading(ms)))).to.deep.equal([
      true,
      false,
      true,
      true,
    ]);
  });

  it('uses the clock of the device if that is trusted, and drops no other reading because of it', () => {
    const window = new RepeatWindow(2000);
    const own = (at: number): Reading => ({ ...reading(0), at: toTimestamp(at), hasOwnTime: true });
    window.accepts(reading(0));
    expect([1_000, 1_001, 5_000, 1_000].map((at) => window.accepts(own(at)))).to.deep.equal([
      true,
      false,
      true,
      true,
    ]);
    expect(window.accepts(reading(1000))).to.equal(false);
    window.allowRetry(own(1_000));
    expect([1_000, 1_001].map((at) => window.accepts(own(at)))).to.deep.equal([false, true]);
  });

  it('ignores a retry of a reading that it never saw', () => {
    const window = new RepeatWindow(2000);
    window.allowRetry(reading(0));
    expect(window.accepts(reading(0))).to.equal(true);
  });

  it('accepts the same readings as a window that remembers every reading', () => {
    const steps = fc.array(
      fc.record({
        waitMs: fc.nat(120),
        id: fc.constantFrom('010203', '040506'),
        reader: fc.constantFrom('a', 'b'),
      }),
      { maxLength: 60 },
    );
    forAll([fc.integer({ min: 1, max: 200 }), steps], (windowMs, taps) => {
      const window = new RepeatWindow(windowMs);
      const seen: Reading[] = [];
      let now = 0;
      for (const { waitMs, id, reader } of taps) {
        now += waitMs;
        const next = reading(now, id, reader);
        const before = seen.findLast((each) => each.id === next.id && each.reader === reader);
        const isNew = before === undefined || now - before.monotonicMs >= windowMs;
        expect(window.accepts(next)).to.equal(isNew);
        seen.push(next);
      }
    });
  });

  it('remembers the tags that were read within the window, and no others', () => {
    const window = new RepeatWindow(1000);
    const readings = Array.from({ length: 5000 }, (_, n) =>
      reading(n * 100, n.toString(16).padStart(6, '0')),
    );
    for (const each of readings) {
      window.accepts(each);
      window.accepts(reading(each.monotonicMs, '04A2B3C4D5', 'where it rests'));
    }
    // Every reading again, at its own past time, which no clock would give. It counts as repeated if the window
    // remembers it.
    const remembered = readings.filter((each) => !window.accepts(each));
    expect(remembered).to.deep.equal(readings.slice(-10));
  });

  for (const windowMs of [-1, REPEAT_WINDOW_MAX_MS + 1, NaN, Infinity]) {
    it(`refuses a window of ${windowMs} ms`, () => {
      const { message } = thrownBy('INVALID_OPTION', () => new RepeatWindow(windowMs));
      expect(message).to.include(`repeatWindowMs is 0 to 86400000; got ${windowMs}`);
    });
  }

  it('accepts the longest window', () => {
    const window = new RepeatWindow(REPEAT_WINDOW_MAX_MS);
    window.accepts(reading(0));
    expect(window.accepts(reading(REPEAT_WINDOW_MAX_MS - 1))).to.equal(false);
    expect(window.accepts(reading(2 * REPEAT_WINDOW_MAX_MS - 1))).to.equal(true);
  });
});

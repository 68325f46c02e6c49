import { Timekeeper, toTimestamp, type ClockTrust } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { thrownBy } from '../fixtures/throws.js';

const LATER = 1_763_700_000;
/** Release of the program: half a day before `LATER`. */
const BUILT = LATER - 43_200;

describe('Timekeeper', () => {
  function start({ seconds = LATER, isSynchronised }: { seconds?: number; isSynchronised?: boolean } = {}): {
    clock: ManualClock;
    keeper: Timekeeper;
  } {
    const clock = new ManualClock(seconds);
    clock.setSynchronised(isSynchronised);
    return { clock, keeper: new Timekeeper(clock, { builtAt: BUILT }) };
  }

  const trusted = (basis: 'synchronised' | 'set' | 'assumed'): ClockTrust => ({ isTrusted: true, basis });
  const doubted = (doubt: 'before-build' | 'not-synchronised' | 'before-last-scan'): ClockTrust => ({
    isTrusted: false,
    doubt,
  });

  describe('when nobody has set it', () => {
    it('has the time of the system', () => {
      const { clock, keeper } = start();
      clock.advance(1000);
      expect(keeper.now()).to.equal(LATER + 1);
      expect(keeper.timeOf({ at: toTimestamp(5), monotonicMs: 7 })).to.equal(5);
      expect(keeper.present()).to.deep.equal({
        now: LATER + 1,
        builtAt: BUILT,
        bootId: 'manual',
        monotonicMs: 1000,
      });
    });

    it('trusts a clock that follows a time server', () => {
      expect(start({ isSynchronised: true }).keeper.trust()).to.deep.equal(trusted('synchronised'));
    });

    it('trusts a clock if the system gives no information about it', () => {
      expect(start().keeper.trust()).to.deep.equal(trusted('assumed'));
    });

    it('doubts a clock that waits for a time server', () => {
      expect(start({ isSynchronised: false }).keeper.trust()).to.deep.equal(doubted('not-synchronised'));
    });

    it('doubts a time earlier than the release, even from a time server', () => {
      for (const isSynchronised of [true, false, undefined]) {
        const clock = new ManualClock(BUILT - 1);
        clock.setSynchronised(isSynchronised);
        const keeper = new Timekeeper(clock, { builtAt: BUILT });
        expect(keeper.trust()).to.deep.equal(doubted('before-build'));
        clock.set(BUILT + 60);
        expect(keeper.trust()).to.not.deep.equal(doubted('before-build'));
      }
    });

    it('trusts every time if the release is unknown', () => {
      const clock = new ManualClock(0);
      clock.setSynchronised(undefined);
      expect(new Timekeeper(clock).trust()).to.deep.equal(trusted('assumed'));
    });

    it('doubts a time earlier than the last scan until it has passed', () => {
      const { clock, keeper } = start();
      keeper.noteScan(toTimestamp(LATER + 2));
      keeper.noteScan(toTimestamp(LATER + 1));
      expect(keeper.latestScan).to.equal(LATER + 2);
      clock.advance(1999);
      expect(keeper.trust()).to.deep.equal(doubted('before-last-scan'));
      clock.advance(1);
      expect(keeper.trust()).to.deep.equal(trusted('assumed'));
    });

    it('takes a clock for set when it moved by more than 5 s against the monotonic one', () => {
      for (const seconds of [-5, 5]) {
        const { clock, keeper } = start({ seconds: BUILT - 1 });
        keeper.trust();
        clock.advance(60_000);
        clock.set(BUILT + 59 + seconds);
        expect(keeper.trust(), `${seconds} s`).to.deep.equal(doubted('before-build'));
      }
      for (const seconds of [-6, 6]) {
        const { clock, keeper } = start({ seconds: BUILT - 1 });
        keeper.trust();
        clock.advance(60_000);
        clock.set(BUILT + 59 + seconds);
        expect(keeper.trust(), `${seconds} s`).to.deep.equal(trusted('assumed'));
      }
    });

    it('does not trust a doubted clock because it goes on', () => {
      for (const [seconds, latestScan, doubt] of [
        [LATER - 180, LATER, 'before-last-scan'],
        [BUILT - 180, 0, 'before-build'],
      ] as const) {
        const { clock, keeper } = start({ seconds });
        keeper.noteScan(toTimestamp(latestScan));
        expect(keeper.trust()).to.deep.equal(doubted(doubt));
        clock.advance(3_600_000);
        expect(keeper.trust()).to.deep.equal(doubted(doubt));
        clock.set(keeper.now() + 4);
        expect(keeper.trust()).to.deep.equal(doubted(doubt));
        clock.set(keeper.now() + 60);
        expect(keeper.trust()).to.deep.equal(trusted('assumed'));
      }
    });

    it('doubts it again after it was set to another wrong time', () => {
      const { clock, keeper } = start({ seconds: LATER - 180 });
      keeper.noteScan(toTimestamp(LATER));
      keeper.trust();
      clock.set(LATER - 90);
      expect(keeper.trust()).to.deep.equal(doubted('before-last-scan'));
      clock.advance(90_000);
      expect(keeper.trust()).to.deep.equal(doubted('before-last-scan'));
    });

    it('has a lower bound of the time: the last scan, or the release', () => {
      const { keeper } = start();
      expect(keeper.notBefore).to.equal(BUILT);
      keeper.noteScan(toTimestamp(LATER));
      expect(keeper.notBefore).to.equal(LATER);
    });

    it('prefers a time server to a scan in the future', () => {
      const { keeper } = start({ isSynchronised: true });
      keeper.noteScan(toTimestamp(LATER + 1_000_000));
      expect(keeper.trust()).to.deep.equal(trusted('synchronised'));
    });
  });

  describe('when a scan of the record is not credible', () => {
    const far = LATER + 49 * 31_557_600;
    const record = { latestScan: toTimestamp(far), credibleScan: toTimestamp(LATER - 60) };

    it('does not doubt a clock after the credible scans', () => {
      const { keeper } = start();
      keeper.noteRecord(record);
      expect(keeper.trust()).to.deep.equal(trusted('assumed'));
      expect(keeper.latestScan).to.equal(LATER - 60);
      expect(keeper.suspectScan).to.equal(far);
      expect(keeper.notBefore).to.equal(LATER - 60);
      const behind = start({ seconds: LATER - 3600 }).keeper;
      behind.noteRecord(record);
      expect(behind.trust()).to.deep.equal(doubted('before-last-scan'));
    });

    it('trusts the scan when the clock reaches it, or shows a time before the release', () => {
      for (const seconds of [far - 86_400, far, far + 1, BUILT - 1]) {
        const { keeper } = start({ seconds });
        keeper.noteRecord(record);
        expect(keeper.suspectScan).to.equal(undefined);
        expect(keeper.latestScan).to.equal(far);
      }
    });

    it('does not use it as a bound for a set time', () => {
      for (const seconds of [0, LATER]) {
        const { keeper } = start({ seconds, isSynchronised: false });
        keeper.noteRecord(record);
        thrownBy('TIME_NOT_CONFIRMED', () => keeper.set(toTimestamp(far)));
        keeper.set(toTimestamp(LATER));
        expect(keeper.latestScan).to.equal(LATER - 60);
      }
    });

    it('no longer doubts the clock because of a removed scan', () => {
      const { keeper } = start();
      keeper.noteScan(toTimestamp(LATER + 3600));
      expect(keeper.trust()).to.deep.equal(doubted('before-last-scan'));
      keeper.noteRecord({ latestScan: toTimestamp(LATER - 60), credibleScan: toTimestamp(LATER - 60) });
      expect(keeper.trust()).to.deep.equal(trusted('assumed'));
    });

    it('continues to doubt the clock because of remaining scans', () => {
      const { clock, keeper } = start({ seconds: BUILT - 60 });
      expect(keeper.trust()).to.deep.equal(doubted('before-build'));
      clock.advance(3_600_000);
      keeper.noteRecord({ latestScan: toTimestamp(0), credibleScan: toTimestamp(0) });
      expect(keeper.trust()).to.deep.equal(doubted('before-build'));
    });
  });

  describe('when somebody has set it', () => {
    it('continues from there with the monotonic clock, regardless of the clock of the system', () => {
      const { clock, keeper } = start({ seconds: 0, isSynchronised: false });
      keeper.set(toTimestamp(LATER));
      expect(keeper.trust()).to.deep.equal(trusted('set'));
      clock.advance(90_500);
      clock.set(12);
      expect(keeper.now()).to.equal(LATER + 90);
    });

    it('dates readings from before it was set too', () => {
      const { clock, keeper } = start({ seconds: 0 });
      clock.advance(60_000);
      keeper.set(toTimestamp(LATER));
      expect(keeper.timeOf({ at: toTimestamp(10), monotonicMs: 10_000 })).to.equal(LATER - 50);
      expect(keeper.timeOf({ at: toTimestamp(70), monotonicMs: 70_500 })).to.equal(LATER + 10);
    });

    it('can be set again, and be later than the last scan or not', () => {
      const { keeper } = start();
      keeper.noteScan(toTimestamp(LATER + 100));
      keeper.set(toTimestamp(LATER + 50));
      keeper.set(toTimestamp(LATER + 20));
      expect(keeper.now()).to.equal(LATER + 20);
      expect(keeper.trust()).to.deep.equal(trusted('set'));
    });

    it('refuses to be set while the system follows a time server', () => {
      const { keeper } = start({ isSynchronised: true });
      thrownBy('CLOCK_SYNCHRONISED', () => keeper.set(toTimestamp(LATER + 1)));
      expect(keeper.now()).to.equal(LATER);
    });

    it('forgets the set time when the system follows a time server', () => {
      const { clock, keeper } = start({ isSynchronised: false });
      keeper.set(toTimestamp(LATER + 3600));
      clock.setSynchronised(true);
      expect(keeper.now()).to.equal(LATER);
      expect(keeper.timeOf({ at: toTimestamp(5), monotonicMs: 7 })).to.equal(5);
      expect(keeper.trust()).to.deep.equal(trusted('synchronised'));
      clock.setSynchronised(undefined);
      expect(keeper.now()).to.equal(LATER);
      expect(keeper.trust()).to.deep.equal(trusted('assumed'));
    });

    it('can be set if a clock that counts as right shows a time before the release', () => {
      const { clock, keeper } = start({ seconds: 100, isSynchronised: true });
      expect(keeper.trust()).to.deep.equal(doubted('before-build'));
      keeper.set(toTimestamp(LATER));
      clock.advance(5000);
      expect(keeper.now()).to.equal(LATER + 5);
      expect(keeper.trust()).to.deep.equal(trusted('set'));
    });

    it('refuses a time more than 50 years after a known release', () => {
      const { clock, keeper } = start();
      const latest = BUILT + 50 * 31_557_600;
      thrownBy('INVALID_TIMESTAMP', () => keeper.set(toTimestamp(latest + 1)));
      thrownBy('INVALID_TIMESTAMP', () => keeper.set(toTimestamp(latest + 1), { isConfirmed: true }));
      keeper.set(toTimestamp(latest), { isConfirmed: true });
      expect(keeper.now()).to.equal(latest);
      new Timekeeper(clock).set(toTimestamp(latest + 1));
    });

    it('demands a confirmation for a time more than a day after the release and the latest scan', () => {
      for (const [scan, bound] of [
        [0, BUILT + 86_400],
        [BUILT - 1, BUILT + 86_400],
        [LATER, LATER + 86_400],
      ] as const) {
        const { keeper } = start({ isSynchronised: false });
        keeper.noteScan(toTimestamp(scan));
        for (const options of [undefined, {}, { isConfirmed: false }]) {
          const error = thrownBy('TIME_NOT_CONFIRMED', () => keeper.set(toTimestamp(bound + 1), options));
          expect(error.message).to.match(
            new RegExp(`^${bound + 1} is more than a day .* \\(limit ${bound}\\)$`),
          );
        }
        expect(keeper.trust().isTrusted).to.equal(false);
        keeper.set(toTimestamp(bound));
        expect(keeper.now()).to.equal(bound);
        keeper.set(toTimestamp(bound + 1), { isConfirmed: true });
        expect(keeper.now()).to.equal(bound + 1);
      }
    });

    it('demands no confirmation if neither release nor scan is known', () => {
      const clock = new ManualClock(0);
      clock.setSynchronised(undefined);
      const keeper = new Timekeeper(clock);
      keeper.set(toTimestamp(LATER * 2));
      expect(keeper.now()).to.equal(LATER * 2);
    });

    it('refuses a time earlier than the release', () => {
      const { keeper } = start();
      thrownBy('INVALID_TIMESTAMP', () => keeper.set(toTimestamp(BUILT - 1)));
      keeper.set(toTimestamp(BUILT));
      expect(keeper.now()).to.equal(BUILT);
    });

    it('dates nothing before 1970', () => {
      const clock = new ManualClock(0);
      clock.setSynchronised(undefined);
      const keeper = new Timekeeper(clock);
      clock.advance(60_000);
      keeper.set(toTimestamp(30));
      expect(keeper.timeOf({ at: toTimestamp(0), monotonicMs: 0 })).to.equal(0);
    });
  });
});

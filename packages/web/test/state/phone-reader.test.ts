import type { PushResults } from '@tallybook/client';
import { expect } from 'chai';
import { BrowserStore } from '../../src/state/kept.js';
import { Outbox, PhoneReader, type Push } from '../../src/state/phone-reader.js';
import { phoneReaderTexts } from '../../src/texts/topics/phone-reader.js';
import { MemoryStorage } from '../fixtures/memory-storage.js';

const SERIAL = '04:a2:b3:c4:d5';

/** A service that accepts readings unless it is away, and the timers of the page. */
class Surroundings {
  readonly storage = new MemoryStorage();
  readonly sent: (readonly [run: string, Parameters<Push>[2]])[] = [];
  readonly later: { delayMs: number; work: () => void }[] = [];
  outcome: PushResults['results'][number]['outcome'] = 'counted';
  /** Outcome of a tag, if it differs from the default. */
  readonly outcomes = new Map<string, PushResults['results'][number]['outcome']>();
  /** Number of requests that are answered before the service is away. */
  left = Infinity;
  failure: Error | undefined;
  nowMs = 1_763_700_000_000;

  open(run: string): { readonly phone: PhoneReader; readonly outbox: Outbox } {
    const outbox = new Outbox(new BrowserStore(this.storage, 'test:'), 'gate', run);
    const phone = new PhoneReader({
      reader: 'gate',
      outbox,
      nowMs: () => this.nowMs,
      schedule: (delayMs, work) => {
        const appointment = { delayMs, work };
        this.later.push(appointment);
        return () => this.later.splice(this.later.indexOf(appointment) >>> 0, 1);
      },
      push: (_reader, ofRun, readings) => {
        if (this.failure !== undefined) return Promise.reject(this.failure);
        if (this.left-- <= 0) return Promise.reject(new Error('away'));
        this.sent.push([ofRun, readings]);
        const results = readings.map(({ id, n }) => ({ n, outcome: this.outcomes.get(id) ?? this.outcome }));
        return Promise.resolve({ results });
      },
    });
    return { phone, outbox };
  }
}

const turn = (): Promise<unknown> => new Promise(setImmediate);

describe('a phone as a reader', () => {
  let around: Surroundings;

  beforeEach(() => {
    around = new Surroundings();
  });

  /** Opens the page while the service is away, and reads a tag. */
  async function takenWhileAway(): Promise<ReturnType<Surroundings['open']>> {
    around.failure = new Error('away');
    const opened = around.open('a');
    opened.phone.take(SERIAL);
    await turn();
    return opened;
  }

  it('sends each tag at once, and shows what became of it', async () => {
    const { phone } = around.open('a');
    phone.take(SERIAL);
    expect(phone.seen.value).to.include({ number: 1, outcome: 'sending' });
    await turn();
    expect(around.sent).to.deep.equal([['a', [{ id: '04A2B3C4D5', n: 1, ageMs: 0 }]]]);
    expect(phone.seen.value).to.include({ outcome: 'counted' });
    expect(phone.waiting.value).to.equal(0);
  });

  it('keeps tags while the service is away, and sends them later with their age and their numbers', async () => {
    const { phone } = await takenWhileAway();
    around.nowMs += 1_000;
    phone.take(SERIAL);
    await turn();
    expect(phone.seen.value).to.include({ number: 2, outcome: 'unsent' });
    expect([phone.waiting.value, phone.problem.value]).to.deep.equal([2, around.failure]);
    around.failure = undefined;
    around.nowMs += 60_000;
    expect(around.later.map(({ delayMs }) => delayMs)).to.deep.equal([4_000]);
    around.later[0]?.work();
    await turn();
    expect(around.sent).to.deep.equal([
      [
        'a',
        [
          { id: '04A2B3C4D5', n: 1, ageMs: 61_000 },
          { id: '04A2B3C4D5', n: 2, ageMs: 60_000 },
        ],
      ],
    ]);
    expect([phone.waiting.value, phone.problem.value]).to.deep.equal([0, undefined]);
    expect(phone.seen.value?.outcome).to.equal('counted');
  });

  it('tries again less and less often, a minute apart at most', async () => {
    const { phone } = await takenWhileAway();
    const delays: number[] = [];
    for (let round = 0; round < 7; round++) {
      await turn();
      const [next] = around.later.splice(0);
      delays.push(next?.delayMs ?? 0);
      next?.work();
    }
    expect(delays).to.deep.equal([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    await turn();
    phone.stop();
    expect(around.later).to.deep.equal([]);
  });

  it('sends what the page before it left behind, under the numbers that it had', async () => {
    await takenWhileAway();
    around.failure = undefined;
    const { phone } = around.open('b');
    expect(phone.waiting.value).to.equal(1);
    phone.take('04:de:ad:be:ef');
    await turn();
    expect(around.sent.map(([run, readings]) => [run, readings.map(({ id, n }) => [id, n])])).to.deep.equal([
      ['a', [['04A2B3C4D5', 1]]],
      ['b', [['04DEADBEEF', 1]]],
    ]);
    expect(phone.seen.value).to.include({ id: '04DEADBEEF', outcome: 'counted' });
  });

  it('keeps them as long as the page is open where the browser keeps nothing', async () => {
    around.storage.isFull = true;
    const { phone, outbox } = await takenWhileAway();
    expect([phone.waiting.value, outbox.isKept]).to.deep.equal([1, false]);
    around.failure = undefined;
    await phone.send();
    expect(around.sent).to.have.length(1);
    expect(phone.waiting.value).to.equal(0);
  });

  it('takes nothing that is kept for a tap if it is none', () => {
    const tap = { run: 'a', n: 1, id: '04A2B3C4D5', atMs: 1 };
    around.storage.setItem('test:phone:gate', JSON.stringify([tap]));
    expect(around.open('b').phone.waiting.value).to.equal(1);
    const damaged = [{ run: 1 }, { n: '1' }, { n: 0.5 }, { id: null }, { atMs: null }].map((each) => {
      return JSON.stringify([tap, { ...tap, ...each }]);
    });
    for (const kept of ['[{"run":"a"}]', '{}', 'no JSON', '[null]', ...damaged]) {
      around.storage.setItem('test:phone:gate', kept);
      expect(around.open('b').phone.waiting.value, kept).to.equal(0);
    }
  });

  it('keeps the taps of each reader apart, though the browser is the same', async () => {
    const { outbox } = await takenWhileAway();
    expect([outbox.size, outbox.isKept]).to.deep.equal([1, true]);
    expect(new Outbox(new BrowserStore(around.storage, 'test:'), 'hall', 'a').size).to.equal(0);
  });

  it('shows what became of the tag that was read last, and of no other', async () => {
    around.failure = new Error('away');
    const { phone } = around.open('a');
    phone.take(SERIAL);
    phone.take('04:de:ad:be:ef');
    await turn();
    around.failure = undefined;
    around.outcomes.set('04DEADBEEF', 'already-counted');
    await phone.send();
    expect(phone.seen.value).to.include({ id: '04DEADBEEF', outcome: 'already-counted' });
  });

  it('shows a tag as unsent though the service took those that waited before it', async () => {
    await takenWhileAway();
    around.failure = undefined;
    around.left = 1;
    const { phone } = around.open('b');
    phone.take('04:de:ad:be:ef');
    await turn();
    expect(phone.waiting.value).to.equal(1);
    expect(phone.seen.value).to.include({ id: '04DEADBEEF', outcome: 'unsent' });
  });

  it('shows no tag before it has read one, whatever becomes of those that waited', async () => {
    await takenWhileAway();
    const { phone } = around.open('b');
    await phone.send();
    expect([phone.seen.value, phone.problem.value]).to.deep.equal([undefined, around.failure]);
    around.failure = undefined;
    await phone.send();
    expect([phone.seen.value, phone.problem.value, phone.waiting.value]).to.deep.equal([
      undefined,
      undefined,
      0,
    ]);
  });

  it('goes on showing what became of a tag when those of another tab cannot be sent', async () => {
    const { phone } = around.open('a');
    phone.take(SERIAL);
    await turn();
    around.failure = new Error('away');
    around.open('b').phone.take('04:de:ad:be:ef');
    await turn();
    await phone.send();
    expect(phone.problem.value).to.equal(around.failure);
    expect(phone.seen.value).to.include({ id: '04A2B3C4D5', outcome: 'counted' });
  });

  it('sends at most a hundred at once', async () => {
    around.failure = new Error('away');
    const { phone } = around.open('a');
    for (let n = 0; n < 250; n++) phone.take(SERIAL);
    await turn();
    around.failure = undefined;
    await phone.send();
    expect(around.sent.map(([, readings]) => readings.length)).to.deep.equal([100, 100, 50]);
  });

  it('is told of in both languages', () => {
    const { en, de } = phoneReaderTexts;
    expect([en.waiting(1), en.waiting(2)]).to.deep.equal([
      '1 tap is waiting on this phone',
      '2 taps are waiting on this phone',
    ]);
    expect([de.waiting(1), de.waiting(2)]).to.deep.equal([
      '1 Buchung wartet auf diesem Telefon',
      '2 Buchungen warten auf diesem Telefon',
    ]);
  });
});

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { TallybookError, Timekeeper, toTimestamp } from '@tallybook/domain';
import {
  AuditTrail,
  canonicalText,
  UNWRITTEN_MAX,
  type AuditEntry,
  type EntryAfter,
  type UnwrittenNote,
} from '@tallybook/domain/access';
import { ManualClock, MemoryAuditStore } from '@tallybook/testing';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const DAY = 86_400;
const start = 1_763_500_000;

/** A store whose disk is full while the test says so. */
class Failing extends MemoryAuditStore {
  isFull = false;

  override appendNext(entryAfter: EntryAfter): Promise<void> {
    return this.isFull ? Promise.reject(diskIsFull()) : super.appendNext(entryAfter);
  }
}

/**
 * A store that writes when the test says so. While the disk is nearly full, it refuses entries with the detail
 * `isLarge`.
 */
class Slow extends MemoryAuditStore {
  isNearlyFull = false;
  readonly #waiting: (() => void)[] = [];

  override async appendNext(entryAfter: EntryAfter): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await super.appendNext((end) => {
      const entry = entryAfter(end);
      if (this.isNearlyFull && entry.details['isLarge'] === true) throw diskIsFull();
      return entry;
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async write(notes: readonly Promise<void>[]): Promise<void> {
    for (const resolve of this.#waiting.splice(0)) resolve();
    await Promise.all(notes);
  }
}

function diskIsFull(): TallybookError {
  return new TallybookError('STORE_WRITE_FAILED', 'the disk is full');
}

async function makeTrail(options: { isClaimed?: () => boolean } = {}) {
  const clock = new ManualClock(start);
  const entries: AuditEntry[] = [];
  const store = new Failing(entries);
  await store.open();
  const timekeeper = new Timekeeper(clock);
  const trail = new AuditTrail({ store, digest, timekeeper }, options);
  return { trail, store, entries, clock, timekeeper };
}

async function makeSlowTrail() {
  const entries: AuditEntry[] = [];
  const store = new Slow(entries);
  await store.open();
  const timekeeper = new Timekeeper(new ManualClock(start));
  return { trail: new AuditTrail({ store, digest, timekeeper }), store, entries, timekeeper };
}

async function written(count: number) {
  const made = await makeTrail();
  for (let n = 1; n <= count; n++) await made.trail.note('ada', 'name-set', { n });
  const head = await made.trail.latest();
  return { ...made, head: head ?? { number: 0, hash: '' } };
}
/** A forgery that anybody with the program could write: other details and a matching hash. */
function forge(entry: AuditEntry | undefined, details = { n: 99 }): AuditEntry {
  if (entry === undefined) throw new RangeError('there is no such entry');
  const forged = { ...entry, details };
  return { ...forged, hash: digest(canonicalText(forged)) };
}

describe('AuditTrail', () => {
  it('notes who did what and when, with the hash of the entry before', async () => {
    const { trail, entries, clock } = await makeTrail();
    await trail.note('ada', 'name-set', { id: '04A2B3C4D5' });
    clock.advance(5_000);
    await trail.note('console', 'backed-up');
    const [first, second] = entries;
    expect(first).to.deep.include({
      ...{ number: 1, at: start, actor: 'ada', action: 'name-set', details: { id: '04A2B3C4D5' } },
      previous: '0'.repeat(64),
    });
    expect(second).to.deep.include({
      number: 2,
      at: start + 5,
      actor: 'console',
      action: 'backed-up',
      details: {},
    });
    expect(second?.previous).to.equal(first?.hash);
  });

  it('forms the hashed text by RFC 8785', () => {
    const text = canonicalText({
      number: 7,
      at: toTimestamp(start),
      actor: 'zoë "z"',
      action: 'names-imported',
      details: { removed: 0, 'added\n': 2, Added: true, é: 'x', e: 1.5 },
      previous: 'ab'.repeat(32),
    });
    expect(text).to.equal(
      `{"action":"names-imported","actor":"zoë \\"z\\"","at":1763500000,"details":{"Added":true,"added\\n":2,"e":1.5,"removed":0,"é":"x"},"number":7,"previous":"${'ab'.repeat(32)}"}`,
    );
  });

  it('passes a note to the store before it returns, also while others are written, so that it shares a sync', async () => {
    const { trail, store } = await makeSlowTrail();
    const notes = [1, 2, 3].map((n) => {
      const noted = trail.note('ada', 'name-set', { n });
      expect(store.waiting).to.equal(n);
      return noted;
    });
    await store.write(notes);
    expect(await trail.verify()).to.deep.include({ entries: 3, fault: undefined });
  });

  it('continues after entries that another process has noted meanwhile', async () => {
    const { trail, store, entries, timekeeper } = await makeTrail();
    const other = new AuditTrail({ store, digest, timekeeper });
    await Promise.all([trail.note('ada', 'name-set'), other.note('bob', 'name-set')]);
    for (let n = 0; n < 5; n++) {
      await Promise.all([
        trail.note('ada', 'name-set', { n }),
        other.note('bob', 'name-removed', { n }),
        other.note('bob', 'name-set', { n }),
      ]);
    }
    expect(entries).to.have.lengthOf(17);
    expect((await trail.verify()).fault).to.equal(undefined);
  });

  it('continues after entries that another process has noted between two notes that are written together', async () => {
    const { trail, store, entries, timekeeper } = await makeSlowTrail();
    const other = new AuditTrail({ store, digest, timekeeper });
    await store.write([
      trail.note('ada', 'name-set'),
      other.note('bob', 'name-set'),
      trail.note('ada', 'name-removed'),
    ]);
    expect(entries.map(({ actor }) => actor)).to.deep.equal(['ada', 'bob', 'ada']);
    expect((await trail.verify()).fault).to.equal(undefined);
  });

  it('notes before the first user only permanent changes of the record, and refused setup codes', async () => {
    let isClaimed = false;
    const { trail, entries } = await makeTrail({ isClaimed: () => isClaimed });
    const before = ['name-set', 'exported', 'time-set', 'person-erased', 'setup-refused', 'claimed'] as const;
    for (const action of before) await trail.note('anyone', action);
    isClaimed = true;
    await trail.note('ada', 'name-set');
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'time-set',
      'person-erased',
      'setup-refused',
      'claimed',
      'name-set',
    ]);
  });

  it('notes why a time is not trusted', async () => {
    const clock = new ManualClock(100);
    const store = new MemoryAuditStore();
    await store.open();
    const trail = new AuditTrail({ store, digest, timekeeper: new Timekeeper(clock, { builtAt: start }) });
    await trail.note('ada', 'name-set', { id: '010203' });
    expect((await trail.read(0, 1))[0]?.details).to.deep.equal({ id: '010203', clockDoubt: 'before-build' });
  });

  it('keeps values out of the trail that UTF-8 and JSON cannot represent', async () => {
    const { trail, entries } = await makeTrail();
    await trail.note('a\uD800', 'signed-in', { label: '\uDC00', n: NaN });
    expect(entries[0]).to.deep.include({ actor: 'a\uFFFD', details: { label: '\uFFFD', n: 'NaN' } });
    expect((await trail.verify()).fault).to.equal(undefined);
  });

  describe('when the store does not take a note', () => {
    it('does not reject, reports it once, and writes the note before the next one, with its own time', async () => {
      const { trail, store, entries, clock } = await makeTrail();
      const faults: UnwrittenNote[] = [];
      trail.faults.subscribe((fault) => faults.push(fault));
      await trail.note('ada', 'signed-in');
      store.isFull = true;
      await trail.note('ada', 'name-set', { id: '010203' });
      clock.advance(1_000);
      await trail.note('ada', 'name-removed', { id: '010203' });
      expect(trail.unwritten).to.equal(2);
      expect(faults.map(({ action }) => action)).to.deep.equal(['name-set', 'name-removed']);
      expect(faults[0]?.error).to.be.an.instanceOf(TallybookError);
      store.isFull = false;
      clock.advance(1_000);
      await trail.note('ada', 'signed-out');
      expect(trail.unwritten).to.equal(0);
      expect(entries.map(({ action, at }) => [action, at - start])).to.deep.equal([
        ['signed-in', 0],
        ['name-set', 0],
        ['name-removed', 1],
        ['signed-out', 2],
      ]);
      expect((await trail.verify()).fault).to.equal(undefined);
    });

    it('writes the notes that came with it, and the refused one with the next note', async () => {
      const { trail, store, entries } = await makeSlowTrail();
      store.isNearlyFull = true;
      await store.write([
        trail.note('ada', 'name-set', { n: 1 }),
        trail.note('ada', 'name-set', { n: 2, isLarge: true }),
        trail.note('ada', 'name-set', { n: 3 }),
      ]);
      expect(trail.unwritten).to.equal(1);
      store.isNearlyFull = false;
      await store.write([trail.note('ada', 'name-set', { n: 4 })]);
      expect(trail.unwritten).to.equal(0);
      expect(entries.map(({ details }) => details['n'])).to.deep.equal([1, 3, 2, 4]);
      expect((await trail.verify()).fault).to.equal(undefined);
    });

    it('keeps only the latest thousand notes in memory', async () => {
      const { trail, store, entries } = await makeTrail();
      store.isFull = true;
      const last = UNWRITTEN_MAX + 2;
      await Promise.all(Array.from({ length: last + 1 }, (_, n) => trail.note('ada', 'name-set', { n })));
      expect(trail.unwritten).to.equal(UNWRITTEN_MAX);
      store.isFull = false;
      await trail.note('ada', 'signed-out');
      expect(entries).to.have.lengthOf(UNWRITTEN_MAX + 1);
      expect(entries[0]?.details['n']).to.equal(3);
    });

    it('keeps a note also if the store is closed and cannot give the end of the trail', async () => {
      const { trail, store, entries } = await makeTrail();
      await store.close();
      await trail.note('ada', 'name-set');
      expect(trail.unwritten).to.equal(1);
      await store.open();
      await trail.note('ada', 'name-removed');
      expect(entries).to.have.lengthOf(2);
    });
  });

  describe('verify', () => {
    it('finds nothing wrong with an empty trail and with a sound one', async () => {
      const { trail } = await makeTrail();
      expect(await trail.verify()).to.deep.equal({
        entries: 0,
        first: undefined,
        head: undefined,
        fault: undefined,
      });
      const sound = await written(1_100);
      expect(await sound.trail.verify(sound.head)).to.deep.equal({
        ...{ entries: 1_100, first: 1, head: sound.head, fault: undefined },
      });
    });

    it('names a changed entry', async () => {
      const { trail, entries } = await written(9);
      entries[4] = { ...forge(entries[4]), hash: entries[4]?.hash ?? '' };
      expect((await trail.verify()).fault).to.deep.equal({ kind: 'changed', number: 5 });
    });

    it('names the entry after a changed and rehashed one', async () => {
      const { trail, entries } = await written(9);
      entries[4] = forge(entries[4]);
      const { fault, entries: sound } = await trail.verify();
      expect(fault).to.deep.equal({ kind: 'unchained', number: 6 });
      expect(sound).to.equal(5);
    });

    it('names the first missing entry, also at the beginning', async () => {
      const middle = await written(9);
      middle.entries.splice(4, 2);
      expect((await middle.trail.verify()).fault).to.deep.equal({ kind: 'missing', number: 5 });
      const beginning = await written(9);
      beginning.entries.splice(0, 2);
      expect((await beginning.trail.verify()).fault).to.deep.equal({ kind: 'missing', number: 1 });
    });

    it('names the first of two entries that changed places', async () => {
      const { trail, entries } = await written(9);
      const [a, b] = [entries[3], entries[5]];
      if (a === undefined || b === undefined) throw new RangeError('they are missing');
      entries[3] = { ...b, number: a.number };
      entries[5] = { ...a, number: b.number };
      expect((await trail.verify()).fault).to.deep.equal({ kind: 'changed', number: 4 });
    });

    it('names the first entry of a cut-off end, if the former end is given', async () => {
      const { trail, entries, head } = await written(9);
      entries.splice(6);
      expect((await trail.verify()).fault).to.equal(undefined);
      expect((await trail.verify(head)).fault).to.deep.equal({ kind: 'missing', number: 7 });
    });

    it('names the expected entry if the end was cut off and written again', async () => {
      const { trail, entries, head } = await written(9);
      entries[8] = forge(entries[8]);
      expect((await trail.verify()).fault).to.equal(undefined);
      expect((await trail.verify(head)).fault).to.deep.equal({ kind: 'not-expected', number: 9 });
    });

    it('names the latest entry if it is not the end of the trail in the store', async () => {
      const { trail, store, entries } = await written(9);
      store.latest = () => Promise.resolve({ number: 10, hash: 'ab'.repeat(32) });
      expect((await trail.verify()).fault).to.deep.equal({ kind: 'missing', number: 10 });
      store.latest = () => Promise.resolve({ number: 9, hash: 'ab'.repeat(32) });
      expect((await trail.verify()).fault).to.deep.equal({ kind: 'changed', number: 9 });
      expect(entries).to.have.lengthOf(9);
    });
  });

  describe('page', () => {
    const numbers = (entries: readonly AuditEntry[]): readonly number[] =>
      entries.map(({ number }) => number);

    it('gives the latest entries, or those after a number, ascending', async () => {
      const { trail } = await written(9);
      const latest = await trail.page(undefined, 3);
      expect(numbers(latest.entries)).to.deep.equal([7, 8, 9]);
      expect(numbers((await trail.page(0, 2)).entries)).to.deep.equal([1, 2]);
      expect(numbers((await trail.page(5, 100)).entries)).to.deep.equal([6, 7, 8, 9]);
      expect((await trail.page(9, 5)).entries).to.deep.equal([]);
      expect((await trail.page(99, 5)).entries).to.deep.equal([]);
      for (const after of [undefined, 0, 3, 8, 9, 99])
        expect((await trail.page(after, 3)).isWhole).to.equal(true);
    });

    it('gives nothing of an empty trail', async () => {
      const { trail } = await makeTrail();
      expect(await trail.page(undefined, 3)).to.deep.equal({ entries: [], isWhole: true });
    });

    it('reports an entry that was changed, is missing, or does not follow the one before', async () => {
      const changed = await written(9);
      changed.entries[4] = forge(changed.entries[4]);
      const changedPages = [changed.trail.page(3, 2), changed.trail.page(5, 2), changed.trail.page(6, 3)];
      expect((await Promise.all(changedPages)).map(({ isWhole }) => isWhole)).to.deep.equal([
        true,
        false,
        true,
      ]);
      const missing = await written(9);
      missing.entries.splice(4, 1);
      expect((await missing.trail.page(2, 4)).isWhole).to.equal(false);
      expect((await missing.trail.page(4, 2)).isWhole).to.equal(false);
      expect((await missing.trail.page(5, 2)).isWhole).to.equal(false);
      expect((await missing.trail.page(6, 3)).isWhole).to.equal(true);
    });

    it('reports a latest entry that is not the end of the trail in the store', async () => {
      const { trail, store } = await written(9);
      store.latest = () => Promise.resolve({ number: 10, hash: 'ab'.repeat(32) });
      for (const after of [undefined, 0, 9]) expect((await trail.page(after, 10)).isWhole).to.equal(false);
      expect((await trail.page(0, 3)).isWhole).to.equal(true);
    });

    it('does not treat entries that are appended during the read as a fault, also in an empty trail', async () => {
      for (const before of [undefined, { number: 8, hash: 'ab'.repeat(32) }]) {
        const { trail, store } = await written(9);
        store.latest = () => Promise.resolve(before);
        const { entries, isWhole } = await trail.page(0, 100);
        expect([entries.length, isWhole]).to.deep.equal([9, true]);
      }
    });

    it('does not treat entries that were removed for their age as missing', async () => {
      const { trail, store } = await written(9);
      await store.removeThrough(4);
      expect(await trail.page(0, 3)).to.deep.include({ isWhole: true });
      expect(numbers((await trail.page(2, 3)).entries)).to.deep.equal([5, 6, 7]);
      expect((await trail.page(2, 3)).isWhole).to.equal(true);
    });
  });

  describe('shorten', () => {
    async function overYears() {
      const made = await makeTrail();
      for (let year = 0; year < 4; year++) {
        for (let n = 0; n < 3; n++) await made.trail.note('ada', 'name-set', { year, n });
        made.clock.advance(365 * DAY * 1_000);
      }
      return made;
    }

    it('removes entries older than a number of days, notes that, and leaves a trail that can be verified', async () => {
      const { trail, entries } = await overYears();
      const sixth = entries[5];
      expect(await trail.shorten(800)).to.equal(6);
      expect(entries.map(({ number }) => number)).to.deep.equal([7, 8, 9, 10, 11, 12, 13]);
      expect(entries.at(-1)).to.deep.include({
        ...{
          actor: 'the service',
          action: 'audit-shortened',
          details: { through: 6, hash: sixth?.hash, days: 800 },
        },
      });
      expect(await trail.verify()).to.deep.include({ entries: 7, first: 7, fault: undefined });
    });

    it('removes nothing and notes nothing if no entry is old enough', async () => {
      const { trail, entries } = await overYears();
      expect(await trail.shorten(5 * 365)).to.equal(0);
      expect(entries).to.have.lengthOf(12);
    });

    it('shortens again, and all is well', async () => {
      const { trail, entries, clock } = await overYears();
      await trail.shorten(1_100);
      clock.advance(365 * DAY * 1_000);
      expect(await trail.shorten(1_100)).to.equal(3);
      expect(entries[0]?.number).to.equal(7);
      expect((await trail.verify()).fault).to.equal(undefined);
    });

    it('leaves only the note if all entries are old', async () => {
      const { trail, entries } = await overYears();
      expect(await trail.shorten(1)).to.equal(12);
      expect(entries.map(({ action }) => action)).to.deep.equal(['audit-shortened']);
      expect((await trail.verify()).fault).to.equal(undefined);
    });

    it('does nothing while the time is not trusted', async () => {
      const { store, entries, clock } = await overYears();
      const timekeeper = new Timekeeper(clock, { builtAt: clock.now() + 100 });
      const trail = new AuditTrail({ store, digest, timekeeper });
      expect(await trail.shorten(1)).to.equal(0);
      expect(entries).to.have.lengthOf(12);
    });

    it('treats an entry with a wrong time neither as old nor as new', async () => {
      const { trail, store, entries, clock } = await makeTrail();
      const doubtful = new AuditTrail({
        store,
        digest,
        timekeeper: { now: () => toTimestamp(5), trust: () => ({ isTrusted: false, doubt: 'before-build' }) },
      });
      const ahead = new AuditTrail({
        store,
        digest,
        timekeeper: { now: () => toTimestamp(start * 2), trust: () => ({ isTrusted: true, basis: 'set' }) },
      });
      await ahead.note('ada', 'name-set');
      await trail.note('ada', 'name-set');
      clock.advance(10 * DAY * 1_000);
      await trail.note('ada', 'name-set');
      await doubtful.note('ada', 'name-set');
      // Entry 1 has a future time, and is removed with the old entry 2. Entry 4 has an early time, but stays, because
      // it comes after entry 3.
      expect(await trail.shorten(5)).to.equal(2);
      expect(entries.map(({ number }) => number)).to.deep.equal([3, 4, 5]);
    });

    it('leaves a sound trail if the power is cut between the note and the removal', async () => {
      const { trail, store, entries } = await overYears();
      store.removeThrough = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'power cut'));
      await trail.shorten(800).catch(() => undefined);
      expect(entries[0]?.number).to.equal(1);
      expect((await trail.verify()).fault).to.equal(undefined);
      entries.splice(0, 3);
      expect((await trail.verify()).fault).to.equal(undefined);
    });

    it('does not hide another removal of entries', async () => {
      const { trail, entries } = await overYears();
      await trail.shorten(800);
      entries.splice(0, 2);
      expect((await trail.verify()).fault).to.deep.equal({ kind: 'missing', number: 7 });
    });

    it('does not hide a replaced first entry', async () => {
      const { trail, entries } = await overYears();
      await trail.shorten(800);
      const [first] = entries;
      if (first === undefined) throw new RangeError('it is missing');
      const forged = { ...first, previous: 'ab'.repeat(32) };
      entries[0] = { ...forged, hash: digest(canonicalText(forged)) };
      expect((await trail.verify()).fault?.number).to.be.oneOf([7, 8]);
    });

    it('names the first entry if its former hash differs from the one in the note of the removal', async () => {
      const { trail, entries } = await overYears();
      await trail.shorten(800);
      const note = entries.at(-1);
      if (note === undefined) throw new RangeError('it is missing');
      const forged = { ...note, details: { ...note.details, hash: 'ab'.repeat(32) } };
      entries[entries.length - 1] = { ...forged, hash: digest(canonicalText(forged)) };
      expect((await trail.verify()).fault).to.deep.equal({ kind: 'unchained', number: 7 });
    });

    it('reports that the expected entry was removed, and names the last removed entry', async () => {
      const { trail, entries } = await overYears();
      const [fifth, sixth] = [entries[4], entries[5]];
      if (fifth === undefined || sixth === undefined) throw new RangeError('they are missing');
      await trail.shorten(800);
      expect((await trail.verify(fifth)).fault).to.deep.equal({ kind: 'removed', number: 5 });
      expect((await trail.verify(sixth)).fault).to.equal(undefined);
      const wrong = { number: 6, hash: 'ab'.repeat(32) };
      expect((await trail.verify(wrong)).fault).to.deep.equal({ kind: 'not-expected', number: 6 });
    });
  });
});

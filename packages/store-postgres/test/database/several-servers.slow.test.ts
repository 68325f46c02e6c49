import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Timekeeper, type JournalEntry, type Subscribable } from '@tallybook/domain';
import { AuditTrail } from '@tallybook/domain/access';

import { usePostgres, useStorages } from '../fixtures/postgres.js';
import { ManualClock } from '@tallybook/testing';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { ada, day, at, tag } from '../../../testing/test/fixtures/known-values.js';

describe('Two servers at one site', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();
  let one: InnerStorage;
  let other: InnerStorage;

  beforeEach(async () => {
    const url = postgres.current.site();
    [one, other] = [await storageOf(url), await storageOf(url)];
  });

  it('count a tag once when both record it at the same time', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : other).days.record(day, ada, at(n))),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'counted').length, 1);
    const record = await one.days.load(day);
    assert.deepEqual(record?.entries, [{ id: ada, first: at(0), last: at(39), count: 40 }]);
    assert.deepEqual(await other.days.load(day), record);
  });

  it('make one journal in the order of commits, without gaps and without late changes', async () => {
    const writing = { isOver: false };
    const readOn = async ({ journal }: InnerStorage): Promise<readonly JournalEntry[]> => {
      const seen: JournalEntry[] = [];
      for (let isLast = false; !isLast;) {
        isLast = writing.isOver;
        const page = await journal.read(seen.length, 50);
        assert.ok(page.isKnown);
        seen.push(...page.entries);
      }
      return seen;
    };
    const reading = [readOn(one), readOn(other)];
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 30 }, (_, n) => {
          const server = n % 2 === 0 ? one : other;
          const id = tag(round * 30 + n);
          return n % 3 === 0
            ? server.mapping.put(id, { first: String(n), last: '' })
            : server.days.record(day, id, at(n), { reader: n % 2 === 0 ? 'one' : 'other' });
        }),
      );
    }
    writing.isOver = true;
    const [first = [], second] = await Promise.all(reading);
    assert.deepEqual(second, first);
    assert.deepEqual(
      first.map(({ cursor }) => cursor),
      Array.from({ length: 300 }, (_, n) => n + 1),
    );
  });

  it('make one audit trail, and both know its end', async () => {
    const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
    const timekeeper = new Timekeeper(new ManualClock(at(0)));
    const trailOf = ({ audit: store }: InnerStorage): AuditTrail =>
      new AuditTrail({ store, digest, timekeeper });
    const trails = [trailOf(one), trailOf(other)] as const;
    const notes = Array.from({ length: 20 }, (_, n) =>
      trails.map((trail) => trail.note('ada', 'name-set', { n })),
    );
    await Promise.all(notes.flat());
    assert.deepEqual(await one.audit.latest(), await other.audit.latest());
    const { entries, fault } = await trails[0].verify();
    assert.deepEqual([entries, fault], [40, undefined]);
  });

  it('never give a sequence of a provisional scan twice', async () => {
    const scan = { id: ada, reader: 'door', shown: at(0), notBefore: at(0) };
    const sequences = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (n % 2 === 0 ? one : other).provisional.add({ ...scan, bootId: `boot ${n % 2}`, monotonicMs: n }),
      ),
    );
    assert.equal(new Set(sequences).size, 40);
    assert.equal((await one.provisional.list()).length, 40);
  });

  it('have the same origin, and the same revisions', async () => {
    await one.days.record(day, ada, at(0));
    await one.mapping.put(ada, { first: 'Ada', last: '' });
    const all = ({ days, mapping, journal }: InnerStorage): Promise<readonly string[]> =>
      Promise.all([days.dayRevision(day), days.listRevision(), mapping.revision(), journal.origin()]);
    assert.deepEqual(await all(other), await all(one));
  });

  it('see a change of the other in the revision as soon as it is acknowledged', async () => {
    for (let second = 0; second < 5; second++) {
      const before = await other.days.dayRevision(day);
      await one.days.record(day, ada, at(second));
      assert.notEqual(await other.days.dayRevision(day), before);
    }
  });

  it('are notified of changes that the other appends to the journal', async () => {
    const appended = nextOf(other.journal.appended);
    await one.days.record(day, ada, at(0));
    await appended;
    assert.equal(await other.journal.latest(), 1);
  });

  it('are notified of changes that are not in the journal', async () => {
    const scan = { id: ada, reader: 'door', bootId: 'boot', monotonicMs: 1, shown: at(0), notBefore: at(0) };
    const sequence = await one.provisional.add(scan);
    const changed = nextOf(other.inner.changed);
    await one.provisional.remove(sequence);
    assert.equal((await changed).seq, 1);
  });
});

/** The next value of a stream. */
function nextOf<T>(stream: Subscribable<T>): Promise<T> {
  return new Promise((resolve) => {
    const subscription = stream.subscribe((value) => {
      subscription.unsubscribe();
      resolve(value);
    });
  });
}

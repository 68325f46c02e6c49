import { setImmediate } from 'node:timers/promises';
import {
  createReading,
  Emitter,
  parseTallyId,
  TallybookError,
  toDay,
  toTimestamp,
  type IdSource,
  type Reading,
  type TallyId,
} from '@tallybook/domain';
import { ERASURE_KEYS_MAX, ERASURES_MAX, Gate, type CorrectionRequest } from '@tallybook/domain/record';
import { AuditTrail } from '@tallybook/domain/access';
import { auditSection } from '@tallybook/domain/personal';
import { guardCorrections, guardMapping } from '@tallybook/domain/sync';
import { MemoryAuditStore, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { ada, bob, itInWorld, NOW, PersonalWorld, TODAY } from './personal-world.js';
import { rejectionOf } from '../fixtures/throws.js';
import { listOf, reading } from '../fixtures/streams.js';
import { Deferred } from '../fixtures/deferred.js';
import { unplacedScan } from '../fixtures/unplaced-scan.js';

const today = toDay(TODAY);
const reader = 'door';

const forgotten = (id: TallyId, at: number): CorrectionRequest => ({
  ...{ action: 'add', day: today, id, at: toTimestamp(at), reason: 'Forgot to tap' },
});

describe('ErasureService', () => {
  let world: PersonalWorld;

  beforeEach(async () => {
    world = await new PersonalWorld().open();
    await world.mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
    await world.days.record(today, ada, toTimestamp(NOW - 5), { reader });
    await world.days.record(today, bob, toTimestamp(NOW - 4), { reader });
    world.backups.files.set('old.jsonl', { at: NOW - 99, ids: [ada, bob] });
    world.backups.files.set('new.jsonl', { at: NOW - 9, ids: [bob] });
  });

  afterEach(() => world.attendance.close());

  /** An erasure on another server meanwhile. */
  const eraseNow = () =>
    world.erasures.erase({ ids: [ada], until: toTimestamp(NOW), expiresAt: toTimestamp(NOW + 9) });
  const erase = (isDryRun = false) => world.service.erase([ada], { isDryRun, actor: 'Eve' });

  it('erases nothing if it is not confirmed after all traces were counted', async () => {
    const confirm = (): void => {
      throw new TallybookError('NOT_SIGNED_IN', 'it has ended');
    };
    const options = { isDryRun: false, actor: 'Eve', confirm };
    await rejectionOf('NOT_SIGNED_IN', world.service.erase([ada], options));
    expect(await world.mapping.get(ada)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
  });

  it('has erased the data if only its bytes cannot be removed yet, as on a full disk, and goes on later', async () => {
    const scrub = world.erasures.scrub.bind(world.erasures);
    const fail = (code: 'STORE_WRITE_FAILED' | 'STORE_READ_FAILED') => () =>
      Promise.reject(new TallybookError(code, 'it is full'));
    world.erasures.scrub = fail('STORE_WRITE_FAILED');
    expect(await erase()).to.include({ isDryRun: false, isScrubbed: false });
    expect(await world.mapping.get(ada)).to.equal(undefined);
    world.erasures.scrub = fail('STORE_READ_FAILED');
    await rejectionOf('STORE_READ_FAILED', erase());
    world.erasures.scrub = scrub;
    expect(await world.service.tidy()).to.equal(true);
  });

  it('reports the data to erase, and changes nothing', async () => {
    expect(await erase(true)).to.deep.equal({
      isDryRun: true,
      tags: [{ id: ada, hasName: true, days: 1, scans: 1, provisional: 0, corrections: 0, changes: 2 }],
      until: NOW,
      backupsWithIt: ['old.jsonl'],
      formerFiles: [],
      isScrubbed: false,
    });
    expect(world.erasures.isRefused(ada, undefined)).to.equal(false);
    expect(world.notes).to.deep.equal([]);
    expect((await world.days.load(today))?.entries).to.have.lengthOf(2);
  });

  it('reports the erased data, and notes it without the id', async () => {
    const { isDryRun, isScrubbed, backupsWithIt } = await erase();
    expect({ isDryRun, isScrubbed, backupsWithIt }).to.deep.equal({
      isDryRun: false,
      isScrubbed: true,
      backupsWithIt: ['old.jsonl'],
    });
    const [kept] = await world.service.list();
    expect(world.notes).to.deep.equal([['Eve', 'person-erased', { digest: kept?.digest, days: 1 }]]);
    expect(kept?.expiresAt).to.equal(NOW + 400 * 86_400);
  });

  it('is answered when all notes are written, which go to the storage together', async () => {
    const written = new Deferred<void>();
    world.audit.note = (actor, action, details) => {
      world.notes.push([actor, action, details]);
      return written.promise;
    };
    let isAnswered = false;
    const answer = world.service.erase([ada, bob], { isDryRun: false, actor: 'Eve' });
    void answer.then(() => (isAnswered = true));
    await setImmediate();
    expect({ notes: world.notes.length, isAnswered }).to.deep.equal({ notes: 2, isAnswered: false });
    written.resolve();
    await answer;
  });

  it('reports the number of corrections, and erases them', async () => {
    const [made] = await world.correcting.correct(
      [forgotten(ada, NOW - 60), forgotten(bob, NOW - 60)],
      'desk',
    );
    expect((await erase(true)).tags[0]).to.include({ corrections: 1, changes: 3 });
    await erase();
    const left = await world.corrections.list(today, today);
    expect(left.map(({ id }) => id)).to.deep.equal([bob]);
    expect((await world.corrected.load(today))?.entries.map(({ id }) => id)).to.deep.equal([bob]);
    await rejectionOf(
      'CORRECTION_NOT_FOUND',
      world.correcting.decide(made?.number ?? 0, { approve: true, by: 'boss' }),
    );
  });

  it('does not add a scan of an erased person again, and accepts a later one', async () => {
    await erase();
    const error = await rejectionOf(
      'INVALID_CORRECTION',
      world.correcting.correct([forgotten(bob, NOW - 60), forgotten(ada, NOW)], 'desk'),
    );
    expect(error.message).to.equal(
      `corrections[1]: the person of tag ${ada} was erased: their scan at ${NOW} cannot be corrected`,
    );
    expect(await world.corrections.list(today, today)).to.deep.equal([]);
    world.clock.set(NOW + 9);
    expect(await world.correcting.correct([forgotten(ada, NOW + 1)], 'desk')).to.have.lengthOf(1);
  });

  it('forgets after 400 days, and not before', async () => {
    await erase();
    world.clock.set(NOW + 400 * 86_400 - 1);
    await world.service.tidy();
    expect(await world.service.list()).to.have.lengthOf(1);
    world.clock.setSynchronised(false);
    world.clock.set(NOW + 400 * 86_400);
    await world.service.tidy();
    expect(await world.service.list(), 'by a clock that may be wrong').to.have.lengthOf(1);
    world.clock.setSynchronised(true);
    expect(await world.service.tidy()).to.equal(true);
    expect(await world.service.list()).to.deep.equal([]);
  });

  it('erases nobody while the time is unknown', async () => {
    world.clock.setSynchronised(false);
    const error: unknown = await erase().catch((cause: unknown) => cause);
    expect(error).to.deep.include({ code: 'CLOCK_NOT_TRUSTED', details: { doubt: 'not-synchronised' } });
    expect(world.erasures.isRefused(ada, undefined)).to.equal(false);
  });

  it('erases 1 to 100 tags together', async () => {
    const many = Array.from({ length: 101 }, (_, n) =>
      parseTallyId(`0000${n.toString(16).padStart(4, '0')}`),
    );
    const options = { isDryRun: false, actor: 'Eve' };
    await rejectionOf('INVALID_OPTION', world.service.erase(many, options));
    await rejectionOf('INVALID_OPTION', world.service.erase([], options));
    expect((await world.service.erase([...many.slice(1), ...many.slice(1)], options)).tags).to.have.lengthOf(
      100,
    );
  });

  it('refuses an earlier scan of a device that was offline, and accepts a later one', async () => {
    await erase();
    world.clock.set(NOW - 100);
    const late = createReading(world.clock, reader, ada);
    world.clock.set(NOW + 1);
    await world.attendance.take(late);
    expect((await world.days.load(today))?.entries.map(({ id }) => id)).to.deep.equal([bob]);
    await world.attendance.take(createReading(world.clock, reader, ada));
    expect((await world.days.load(today))?.entries.map(({ id }) => id)).to.deep.equal([bob, ada]);
  });

  it('tells the device that an earlier scan is refused, and tells nobody else whose scan it is', async () => {
    await erase();
    world.clock.set(NOW - 100);
    const late = createReading(world.clock, reader, ada);
    world.clock.set(NOW + 1);
    const events = new Recorder(world.attendance.events);
    const readings = new Emitter<Reading>();
    world.attendance.listen({ readings } as Partial<IdSource> as IdSource);
    const told: Promise<string>[] = [];
    readings.emit({ ...late, waitUntil: (work) => void told.push(work) });
    expect(await Promise.all(told)).to.deep.equal(['refused']);
    expect(events.values).to.deep.equal([]);
    expect(world.attendance.backlog.waiting).to.equal(0);
  });

  it('shows a tap in the second of the erasure as failed, and takes the next one', async () => {
    await erase();
    const events = new Recorder(world.attendance.events);
    await world.attendance.take(createReading(world.clock, reader, ada));
    expect(world.indications).to.deep.equal([{ signal: 'failed', id: ada, reader }]);
    world.clock.advance(1_000);
    await world.attendance.take(createReading(world.clock, reader, ada));
    expect(world.indications.at(-1)?.signal).to.equal('unknown');
    expect(events.values.map(({ kind }) => kind)).to.deep.equal(['scan', 'attendance']);
  });

  it('treats a scan as refused, not as failed, if its person is erased while it waits for the disk', async () => {
    const events = new Recorder(world.attendance.events);
    world.days.record = async () => {
      await eraseNow();
      throw new TallybookError('STORE_CORRUPT', 'the row is damaged');
    };
    await world.attendance.take(createReading(world.clock, reader, ada));
    expect(events.values.map(({ kind }) => kind)).to.deep.equal(['scan']);
    expect(world.attendance.backlog.waiting).to.equal(0);
    expect(await world.provisional.list()).to.deep.equal([]);
  });

  it('drops provisional scans of the tag, and none of others', async () => {
    world.clock.setSynchronised(false);
    for (const id of [ada, bob]) await world.attendance.take(createReading(world.clock, reader, id));
    world.clock.setSynchronised(true);
    await erase();
    world.clock.advance(60_000);
    await world.attendance.close();
    const record = await world.days.load(today);
    expect(record?.entries.map(({ id, count }) => [id, count])).to.deep.equal([[bob, 2]]);
    expect(await world.provisional.list()).to.deep.equal([]);
  });

  it('does not file a scan that comes later but is from before', async () => {
    await erase();
    await world.provisional.add(unplacedScan(ada, toTimestamp(NOW - 50)));
    await world.attendance.close();
    await world.attendance.open();
    await world.attendance.close();
    expect((await world.days.load(today))?.entries.map(({ id }) => id)).to.deep.equal([bob]);
    expect(await world.provisional.list()).to.deep.equal([]);
  });

  it('corrects no scan of a person if the centre erases the person while the correction waits', async () => {
    const edits = new Gate(1);
    const guarded = guardCorrections(world.corrections, edits, world.erasures);
    const applied = edits.run(async () => {
      await setImmediate();
      await eraseNow();
    });
    const made = { author: 'eve', madeAt: toTimestamp(NOW), state: 'approved' } as const;
    const waiting = guarded.correct([{ ...forgotten(ada, NOW - 60), ...made }]);
    await rejectionOf('INVALID_CORRECTION', waiting);
    await applied;
    expect(await world.corrections.list(today, today)).to.deep.equal([]);
  });

  it('erases nobody when 100,000 erasures are kept, and changes nothing', async () => {
    const times = { from: toTimestamp(0), until: toTimestamp(NOW - 9), expiresAt: toTimestamp(NOW + 9_000) };
    const key = '0'.repeat(32);
    const kept = Array.from({ length: ERASURES_MAX - 1 }, (_, n) => ({
      ...{ key, digest: n.toString(16).padStart(32, '0'), ...times },
    }));
    await world.erasures.add(kept, toTimestamp(NOW));
    await world.days.record(today, bob, toTimestamp(NOW));
    await world.service.erase([ada], { isDryRun: false, actor: 'eve' });
    const refused = world.service.erase([bob], { isDryRun: false, actor: 'eve' });
    await rejectionOf('TOO_MANY_ERASURES', refused);
    expect(await world.erasures.list()).to.have.lengthOf(ERASURES_MAX);
    expect((await world.days.load(today))?.entries.map(({ id }) => id)).to.deep.equal([bob]);
    // An erased person can be erased again, and others tap as before.
    await world.service.erase([ada], { isDryRun: false, actor: 'eve' });
    await world.erasures.expire(toTimestamp(NOW + 9_000));
    await world.service.erase([bob], { isDryRun: false, actor: 'eve' });
  });

  describe('and a backup', () => {
    const times = { from: toTimestamp(0), until: toTimestamp(NOW), expiresAt: toTimestamp(NOW + 9_000) };
    const digits = (number: number): string => number.toString(16).padStart(32, '0');
    /** The backup of this world, with erasures added. */
    const withErasures = async (count: number, keyOf: (n: number) => number): Promise<readonly string[]> => {
      const [head = '', ...rest] = await world.export();
      const erasures = Array.from({ length: count }, (_, n) =>
        JSON.stringify({ kind: 'erasure', key: digits(keyOf(n)), digest: digits(n), ...times }),
      );
      return [head, ...erasures, ...rest];
    };

    for (const [what, count, keyOf, code] of [
      ['as many keys', ERASURE_KEYS_MAX, (n: number): number => n, 'TOO_MANY_ERASURE_KEYS'],
      ['as many erasures', ERASURES_MAX, (): number => 0, 'TOO_MANY_ERASURES'],
    ] as const) {
      it(`with ${what} as a store accepts is restored into an empty store`, async () => {
        const lines = await withErasures(count, keyOf);
        await using other = await new PersonalWorld().open();
        await other.import(lines);
        expect(await other.erasures.list()).to.have.lengthOf(count);
        expect((await other.mapping.read()).size).to.equal(1);
      });

      it(`with ${what} as a store accepts is refused as a whole if the store has others`, async () => {
        const lines = await withErasures(count, keyOf);
        await using other = await new PersonalWorld().open();
        const own = { key: digits(count), digest: digits(count), ...times };
        await other.erasures.add([own], toTimestamp(NOW));
        await rejectionOf(code, other.import(lines));
        expect((await other.erasures.list()).map(({ digest }) => digest)).to.deep.equal([own.digest]);
        expect((await other.mapping.read()).size).to.equal(0);
        expect(await other.days.list(toDay(0), toDay(30_000))).to.deep.equal([]);
      });
    }

    it('from before restores nothing', async () => {
      const before = await world.export();
      await erase();
      expect(await world.import(before)).to.deep.include({ names: 1, entries: 2, refused: 2 });
      const after = await world.export();
      expect(after.filter((line) => line.includes(ada))).to.deep.equal([]);
    });

    it('from before restores no correction of the person, but those of others', async () => {
      await world.correcting.correct([forgotten(ada, NOW - 60), forgotten(bob, NOW - 60)], 'desk');
      const lines = await world.export();
      await erase();
      await world.corrections.remove(today);
      await world.import(lines);
      const left = await world.corrections.list(today, today);
      expect(left.map(({ id }) => id)).to.deep.equal([bob]);
    });

    it('from before restores no provisional scan, also if the person is erased meanwhile', async () => {
      await world.provisional.add(unplacedScan(ada, toTimestamp(NOW - 50)));
      await world.mapping.remove(ada);
      await world.days.remove(today);
      const lines = await world.export();
      await world.provisional.remove(1);
      const { erasures } = world;
      const isRefused = erasures.isRefused.bind(erasures);
      let erasing: Promise<unknown> | undefined;
      erasures.isRefused = (id, time) => {
        const is = isRefused(id, time);
        // Right after the first check.
        if (id === ada) queueMicrotask(() => (erasing ??= eraseNow()));
        return is;
      };
      await world.import(lines);
      await erasing;
      expect(await world.provisional.list()).to.deep.equal([]);
    });

    it('without a date restores no name', async () => {
      const before = (await world.export()).map((line) => line.replace(/,"madeAt":[0-9]+/, ''));
      await erase();
      await world.import(before);
      expect(await world.mapping.get(ada)).to.equal(undefined);
    });

    for (const [date, isDated] of [
      ['with a date', true],
      ['without a date', false],
    ] as const) {
      it(`${date} restores the names of all except a person whom the centre erases while the import waits`, async () => {
        await world.mapping.put(bob, { first: 'Bob', last: '' });
        const lines = (await world.export()).map((line) =>
          isDated ? line : line.replace(/,"madeAt":[0-9]+/, ''),
        );
        const edits = new Gate(1);
        let free = (): void => undefined;
        const applied = edits.run(() => new Promise<void>((resolve) => (free = resolve)));
        const guarded = guardMapping(world.mapping, edits, world.erasures);
        const importing = world.backupWith({ mapping: guarded }).import(() => reading(lines));
        await setImmediate();
        await eraseNow();
        free();
        expect(await importing).to.deep.include({ names: 2, refused: 1 });
        await applied;
        expect([...(await world.mapping.read()).keys()]).to.deep.equal([bob]);
      });
    }

    it('restores the corrections of all except a person whom the centre erases while they wait', async () => {
      await world.correcting.correct([forgotten(ada, NOW - 60), forgotten(bob, NOW - 60)], 'desk');
      const lines = await world.export();
      await world.corrections.remove(today);
      const edits = new Gate(1);
      let free = (): void => undefined;
      const applied = edits.run(() => new Promise<void>((resolve) => (free = resolve)));
      const guarded = guardCorrections(world.corrections, edits, world.erasures);
      const waiting = new Deferred<void>();
      const correct = guarded.correct.bind(guarded);
      guarded.correct = (made) => {
        waiting.resolve();
        return correct(made);
      };
      const importing = world.backupWith({ corrections: guarded }).import(() => reading(lines));
      await waiting.promise;
      await eraseNow();
      free();
      expect(await importing).to.deep.include({ corrections: 2, refused: 1 });
      await applied;
      const left = await world.corrections.list(today, today);
      expect(left.map(({ id }) => id)).to.deep.equal([bob]);
    });

    it('is refused if its corrections are refused for another reason', async () => {
      await world.correcting.correct([forgotten(ada, NOW - 60)], 'desk');
      const lines = await world.export();
      world.corrections.correct = () =>
        Promise.reject(new TallybookError('INVALID_CORRECTION', 'there are too many'));
      const error = await rejectionOf('INVALID_CORRECTION', world.import(lines));
      expect(error.message).to.equal('there are too many');
    });

    it('is restored if its data is of the next holder', async () => {
      await erase();
      world.clock.advance(10_000);
      await world.mapping.put(ada, { first: 'Cyd', last: '' });
      await world.attendance.take(createReading(world.clock, reader, ada));
      const since = await world.export();
      await world.days.remove(today);
      await world.mapping.remove(ada);
      expect(await world.import(since)).to.not.have.property('refused');
      expect((await world.mapping.get(ada))?.first).to.equal('Cyd');
      expect((await world.days.load(today))?.entries.map(({ id }) => id)).to.deep.equal([bob, ada]);
    });

    it('of a day on which both holders were there is restored in part', async () => {
      await erase();
      const entry = { kind: 'entry', day: TODAY, id: ada, first: NOW - 5, last: NOW + 5, count: 9 };
      await world.import(['{"kind":"tallybook","version":1}', JSON.stringify(entry)]);
      const found = (await world.days.load(today))?.entries.find(({ id }) => id === ada);
      expect(found).to.deep.equal({ id: ada, first: NOW + 5, last: NOW + 5, count: 1 });
    });

    it('carries the erasures to another store, so that an older backup restores nothing there', async () => {
      const before = await world.export();
      await erase();
      const after = await world.export();
      await using other = await new PersonalWorld().open();
      await other.import(before);
      await other.import(after);
      expect(await other.mapping.get(ada), 'what was there').to.equal(undefined);
      await other.import(before);
      expect((await other.export()).filter((line) => line.includes(ada))).to.deep.equal([]);
    });

    for (const [what, line] of [
      ['no key', '{"kind":"erasure","digest":"00","until":1,"expiresAt":2}'],
      ['no time', `{"kind":"erasure","key":"${'0'.repeat(32)}","digest":"${'0'.repeat(32)}","until":-1}`],
    ] as const) {
      it(`is refused if an erasure has ${what}`, async () => {
        await rejectionOf('INVALID_BACKUP', world.import(['{"kind":"tallybook","version":1}', line]));
      });
    }
  });
});

describe('The data of a person', () => {
  itInWorld('is all kept data of the tag, with a legend', async (world) => {
    await world.mapping.put(ada, { first: 'Ada', last: '"Love"' });
    await world.days.record(today, ada, toTimestamp(NOW), { reader });
    await world.days.record(toDay(TODAY + 1), ada, toTimestamp(NOW + 86_400), { reader });
    await world.days.record(today, bob, toTimestamp(NOW), { reader });
    await world.correcting.correct([forgotten(ada, NOW - 60), forgotten(bob, NOW - 60)], 'desk');
    const data = await world.dataOf(ada);
    expect(Object.keys(data)).to.deep.equal([
      ...['legend', 'id', 'madeAt', 'name', 'days', 'provisional', 'corrections', 'journal'],
    ]);
    expect(Object.keys(data['legend'] as object)).to.include.members([
      'name',
      'days',
      'corrections',
      'journal',
    ]);
    expect(data['name']).to.deep.equal({ first: 'Ada', last: '"Love"' });
    const at = '2025-11-21T04:40:00Z';
    expect(data['days']).to.deep.include({ day: '2025-11-21', first: at, last: at, count: 1, scans: [at] });
    expect(data['days']).to.have.lengthOf(2);
    const made = { number: 1, action: 'add', day: '2025-11-21', at: '2025-11-21T04:39:00Z' };
    expect(data['corrections']).to.deep.equal([
      {
        ...{ ...made, reason: 'Forgot to tap', author: 'desk', madeAt: '2025-11-21T04:40:00Z' },
        ...{ state: 'approved', decision: null },
      },
    ]);
    expect(data['journal']).to.have.lengthOf(4);
    expect(data['journal']).to.deep.include({
      ...{ cursor: 5, kind: 'correction', number: 1, day: '2025-11-21', id: ada },
    });
  });

  itInWorld('has the actions of users on corrections of the tag, and of no other tag', async (world) => {
    const audit = new MemoryAuditStore();
    const { timekeeper } = world;
    await audit.open();
    const trail = new AuditTrail({ store: audit, timekeeper, digest: (text) => `digest of ${text}` });
    for (const id of [ada, bob]) {
      const [made] = await world.correcting.correct([forgotten(id, NOW - 60)], 'desk');
      await trail.note('desk', 'corrected', { day: TODAY, number: made?.number ?? 0, count: 1 });
    }
    await trail.note('desk', 'day-removed', { day: TODAY, number: 1 });
    const entries = await listOf(auditSection(audit).read(bob, (id) => world.erasures.trace(id)));
    const details = { day: TODAY, number: 2, count: 1 };
    expect(entries).to.deep.equal([
      { at: '2025-11-21T04:40:00Z', actor: 'desk', action: 'corrected', details },
    ]);
  });

  itInWorld('is empty for an unknown tag, and says so', async (world) => {
    const data = await world.dataOf(ada);
    const nothing = { name: null, days: [], provisional: [], corrections: [], journal: [] };
    expect(data).to.deep.include({ ...nothing, id: ada });
  });
});

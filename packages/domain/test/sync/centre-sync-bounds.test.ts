import { TallybookError } from '@tallybook/domain';
import { CentreSync } from '@tallybook/domain/sync';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { ada, at, forgotten, NOW, quiet, settle, TODAY, itAtCentre as test } from './sync-world.js';
import { rejectionOf } from '../fixtures/throws.js';

const YEAR = 366 * 86_400;

describe('a station at its centre', () => {
  test('may not decide a correction that waits there', async (centre) => {
    const pending = forgotten(ada, 20, { state: 'pending' });
    await centre.corrections.correct([pending]);
    const decision = { by: 'the-admin', at: at(30) };
    await centre.take({ kind: 'correction', correction: { ...pending, state: 'approved', decision } });
    expect(centre.record().corrections).to.deep.equal([`${TODAY} ${ada} ${at(20)} add pending`]);
  });

  test('may not add an approved correction where approval is needed', async (centre) => {
    await using strict = new CentreSync({ ...centre.parts(), people: undefined, needsApproval: true });
    await strict.open();
    const correction = forgotten(ada, 20);
    const items = [{ kind: 'correction', correction, cursor: 1 }];
    await strict.push('gate', { run: 'run', after: 0, through: 1, items, status: quiet });
    expect(centre.record().corrections).to.deep.equal([`${TODAY} ${ada} ${at(20)} add pending`]);
  });

  test('may not erase later data with a clock that is years ahead', async (centre) => {
    const key = 'a'.repeat(32);
    const erasure = {
      ...{ key, digest: key },
      ...{ from: 0, until: NOW + 10 * YEAR, expiresAt: NOW + 20 * YEAR },
    };
    await centre.take({ kind: 'erasure', erasure });
    const [kept] = await centre.erasures.list();
    expect(kept?.until).to.equal(NOW);
    expect(kept?.expiresAt).to.equal(NOW + 400 * 86_400);
  });

  test('may not make the centre read the corrections of a day more than once, with many of that day', async (centre) => {
    const { corrections, sync } = centre;
    const { origin, cursor } = await sync.changes(undefined, 0);
    const list = corrections.list.bind(corrections);
    let reads = 0;
    corrections.list = (from, to) => {
      reads++;
      return list(from, to);
    };
    corrections.find = () => expect.fail('one by one');
    const items = [20, 21, 22].map((second) => ({ kind: 'correction', correction: forgotten(ada, second) }));
    await centre.take(...items);
    expect(reads).to.equal(1);
    const told = await sync.changes({ origin, cursor }, 0);
    expect(told.items.map(({ kind }) => kind)).to.deep.equal(['correction', 'correction', 'correction']);
    expect(reads).to.equal(2);
  });

  test('may not make the centre wait for changes longer than half a minute', async (centre) => {
    const appointments = watchAppointments(centre.clock);
    const { origin, cursor } = await centre.sync.changes(undefined, 0);
    const waiting = centre.sync.changes({ origin, cursor }, 1_000_000);
    await settle();
    expect(appointments.waiting).to.deep.equal([30_000]);
    centre.clock.advance(30_000);
    expect((await waiting).items).to.deep.equal([]);
  });
});

describe('data of a damaged row of a centre', () => {
  const scan = { kind: 'scan', day: TODAY, id: ada, at: at(5) };
  const correction = { kind: 'correction', correction: forgotten(ada, 20) };

  for (const isRepairable of [true, false]) {
    const what = isRepairable ? 'refused where a repair brings it again' : 'not acknowledged where none does';
    test(`is ${what}`, async (centre) => {
      const { days, corrections, stations } = centre;
      await using sync = new CentreSync({ ...centre.parts(), people: undefined, isRepairable });
      await sync.open();
      const fail = (): Promise<never> =>
        Promise.reject(new TallybookError('STORE_CORRUPT', 'a row is damaged'));
      days.record = fail;
      corrections.list = fail;
      for (const item of [scan, correction]) {
        const after = await stations.progress('gate', 'run');
        const items = [{ ...item, cursor: after + 1 }];
        const pushed = sync.push('gate', { run: 'run', after, through: after + 1, items, status: quiet });
        if (isRepairable) {
          expect((await pushed).refused.map(({ code }) => code)).to.deep.equal(['STORE_CORRUPT']);
        } else {
          await rejectionOf('STORE_CORRUPT', pushed);
          expect(await stations.progress('gate', 'run')).to.equal(0);
        }
      }
    });
  }
});

describe('a station that waits for changes', () => {
  test('gets the latest cursor when the changes after its place were removed, and waits there', async (centre) => {
    const origin = await centre.journal.origin();
    await centre.mapping.put(ada, { first: 'Ada', last: '' });
    await settle();
    centre.journal.forget(() => true);
    let reads = 0;
    const read = centre.journal.read.bind(centre.journal);
    centre.journal.read = (after, limit) => {
      reads++;
      return read(after, limit);
    };
    const waiting = centre.sync.changes({ origin, cursor: 0 }, 10_000);
    await settle();
    centre.clock.advance(10_000);
    expect(await waiting).to.deep.include({ cursor: 1, items: [] });
    expect(reads).to.be.below(5);
  });

  test('is answered after its time, also with many changes that do not concern it', async (centre) => {
    const origin = await centre.journal.origin();
    for (let second = 0; second < 2_500; second++) await centre.days.record(TODAY, ada, at(second));
    const { cursor, items } = await centre.sync.changes({ origin, cursor: 0 }, 0);
    expect(items).to.be.empty;
    expect(cursor).to.equal(1_000);
  });
});

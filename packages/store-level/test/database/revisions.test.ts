import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { Revisions } from '../../src/database/revisions.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { facetOf } from '@tallybook/testing';
import { ada, day } from '../../../testing/test/fixtures/known-values.js';

const nextDay = toDay(20_412);
const at = toTimestamp(1_763_500_000);

describe('Revisions', () => {
  const directory = useTempDirectory();

  it('differ at each call while a change is under way, and are stable afterwards', () => {
    const revisions = new Revisions();
    const seen = [revisions.of('one')];
    const [end, endOther] = [revisions.begin('one'), revisions.begin('one')];
    seen.push(revisions.of('one'), revisions.of('one'));
    end();
    seen.push(revisions.of('one'), revisions.of('one'));
    endOther();
    const after = revisions.of('one');
    expect(new Set([...seen, after]).size).to.equal(6);
    expect(revisions.of('one')).to.equal(after);
    expect(revisions.of('other')).to.equal(revisions.of('other'));
  });

  it('keep differing after a renewal, if a change is under way', () => {
    const revisions = new Revisions();
    const end = revisions.begin('one');
    revisions.renew();
    expect(revisions.of('one')).to.not.equal(revisions.of('one'));
    end();
    expect(revisions.of('one')).to.equal(revisions.of('one'));
  });

  it('stay when other data changes, or nothing', async () => {
    await using stores = await openStores(directory.path);
    const { days, names } = stores;
    await days.record(day, ada, at);
    await names.put(ada, { first: 'Ada', last: '' });
    for (const later of [1, 2]) await days.record(day, ada, toTimestamp(at + later));
    const revisions = () => Promise.all([days.dayRevision(day), names.revision()]);
    const before = await revisions();
    await days.record(nextDay, ada, at);
    await days.remove(nextDay);
    await days.record(day, ada, at);
    for (const known of [at, toTimestamp(at + 1)])
      await days.merge(day, [{ id: ada, first: known, last: known, count: 1 }]);
    await names.remove(parseTallyId('010203'));
    expect(await revisions()).to.deep.equal(before);
  });

  it('are never used again after a new opening', async () => {
    const seen = new Set<string>();
    const database = new LevelStorage(directory.path);
    for (let opening = 0; opening < 3; opening++) {
      await using days = facetOf(database, 'days');
      await days.open();
      seen.add(await days.listRevision());
    }
    expect(seen.size).to.equal(3);
  });
});

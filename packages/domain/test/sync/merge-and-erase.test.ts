import type { TallyId } from '@tallybook/domain';
import { expect } from 'chai';
import { ada, at, bob, type Centre, forgotten, lovelace, TODAY, itAtCentre as test } from './sync-world.js';

const first = at(-5_000);
const last = at(-2_000);

const erase = ({ erasures }: Centre, id: TallyId, until = at(0)): Promise<unknown> =>
  erasures.erase({ ids: [id], until, expiresAt: at(9) });

describe('While a batch of a station is merged', () => {
  test('no name of a person who is erased meanwhile is restored', async (centre) => {
    const get = centre.stamped.get.bind(centre.stamped);
    centre.stamped.get = async (ids) => {
      const names = await get(ids);
      await erase(centre, ada);
      return names;
    };
    const stamp = { ms: at(-9) * 1_000, counter: 0, node: 'gate' };
    const { refused } = await centre.take({ kind: 'name', id: ada, name: lovelace, stamp });
    expect(await centre.mapping.get(ada)).to.equal(undefined);
    expect(refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
  });

  test('no correction of a person who is erased meanwhile is restored', async (centre) => {
    const list = centre.corrections.list.bind(centre.corrections);
    centre.corrections.list = async (...days) => {
      const corrections = await list(...days);
      await erase(centre, ada);
      return corrections;
    };
    const { refused } = await centre.take({ kind: 'correction', correction: forgotten(ada, -5_000) });
    expect(await list(TODAY, TODAY)).to.deep.equal([]);
    expect(refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
  });

  test('no entry of a person who is erased meanwhile is restored', async (centre) => {
    // Only the last scan of a partly erased entry is recorded.
    await erase(centre, bob, at(-3_000));
    const record = centre.days.record.bind(centre.days);
    centre.days.record = async (...scan) => {
      await erase(centre, ada);
      return record(...scan);
    };
    const entries = [ada, bob].map((id) => ({ id, first, last, count: 5 }));
    await centre.take({ kind: 'entries', day: TODAY, entries });
    expect((await centre.days.load(TODAY))?.entries).to.deep.equal([
      { id: bob, first: last, last, count: 1 },
    ]);
  });
});

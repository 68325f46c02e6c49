import { NO_STAMP } from '@tallybook/domain';
import type { NameItem, SyncAnswer } from '@tallybook/domain/sync';
import { expect } from 'chai';
import { testOn } from '../fixtures/test-on.js';
import { ada, at, Centre, grace as other, lovelace as name, NOW } from './sync-world.js';

const ms = NOW * 1_000;

/** A centre where a person was erased ten seconds ago. */
const test = testOn(async () => {
  const centre = await Centre.open();
  await centre.erasures.erase({ ids: [ada], until: at(0), expiresAt: at(9_999) });
  centre.clock.advance(10_000);
  return centre;
});

const push = (centre: Centre, item: Pick<NameItem, 'name' | 'stamp'>): Promise<SyncAnswer> =>
  centre.take({ kind: 'name', id: ada, ...item });

describe('names of an erased person, at a centre', () => {
  for (const [when, stamp] of [
    ['they are from before the erasure', { ms, counter: 0, node: 'door' }],
    ['their time is unknown', null],
    ['the clock was so far ahead that their time is unknown', { ms: ms + 1e9, counter: 0, node: 'door' }],
  ] as const) {
    test(`are refused if ${when}, and the station gets the answer that there is no name`, async (centre) => {
      const answer = await push(centre, { name, stamp });
      expect(answer.refused.map(({ code }) => code)).to.deep.equal(['TAG_ERASED']);
      expect(answer.superseded).to.deep.equal([{ kind: 'name', id: ada, name: null, stamp: NO_STAMP }]);
      expect(await centre.stamped.get([ada])).to.be.empty;
    });
  }

  test('are answered with the name of the next holder', async (centre) => {
    const stamp = { ms: ms + 5_000, counter: 0, node: 'desk' };
    await centre.stamped.replace([{ id: ada, name: other, stamp }]);
    const answer = await push(centre, { name, stamp: null });
    expect(answer.superseded).to.deep.equal([{ kind: 'name', id: ada, name: other, stamp }]);
  });

  test('are not refused if they were removed, because a removal has no personal data', async (centre) => {
    const answer = await push(centre, { name: null, stamp: { ms, counter: 0, node: 'door' } });
    expect(answer.refused).to.be.empty;
    expect(await centre.stamped.get([ada])).to.be.empty;
  });

  test('are accepted if they are from after the erasure', async (centre) => {
    const answer = await push(centre, { name: other, stamp: { ms: ms + 2_000, counter: 0, node: 'door' } });
    expect(answer.refused).to.be.empty;
    expect((await centre.stamped.get([ada]))[0]?.name).to.deep.equal(other);
  });
});

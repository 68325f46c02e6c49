import { expect } from 'chai';
import type { Stamp } from '@tallybook/domain';
import {
  ada,
  at,
  babbage,
  type Centre,
  grace,
  lovelace,
  NOW,
  pass,
  settle,
  TODAY,
  itWhenMet,
} from './sync-world.js';
import { LONG, openPlaces } from './met-places.js';
import { testOn } from '../fixtures/test-on.js';

function stamp(seconds: number): Stamp {
  return { ms: (NOW + seconds) * 1_000, counter: 0, node: 'gate' };
}

/** A centre with two stations, one of them cut off from the network. */
const test = testOn(async () => {
  const all = await openPlaces('cut', 'desk');
  all.cutOff(all.cut);
  return { ...all, namesEverywhere: () => all.places.map((place) => place.record().names) };
});

describe('an erasure that reaches the centre late', () => {
  for (const [what, unreliable] of [
    ['of unknown time', null],
    ['whose time is from a clock far ahead', stamp(86_400)],
  ] as const) {
    test(`removes a name ${what}`, async (places) => {
      const { centre, cut, desk } = places;
      await cut.erasures.erase({ ids: [ada], until: at(1), expiresAt: at(9_999) });
      await places.pass();
      await centre.take({ kind: 'name', id: ada, name: lovelace, stamp: unreliable });
      await places.pass();
      expect(desk.record().names).to.have.lengthOf(1);
      await places.reconnect(cut);
      expect(places.namesEverywhere()).to.deep.equal([[], [], []]);
    });
  }

  test('does not remove a later name of known time', async (places) => {
    const { centre, cut } = places;
    await cut.erasures.erase({ ids: [ada], until: at(1), expiresAt: at(9_999) });
    await places.pass();
    await centre.take({ kind: 'name', id: ada, name: lovelace, stamp: null });
    await places.pass();
    await centre.mapping.put(ada, grace);
    await places.reconnect(cut);
    const name = `${ada} Grace Hopper`;
    expect(places.namesEverywhere()).to.deep.equal([[name], [name], [name]]);
  });

  test('is not undone at its station by a name of unknown time', async (places) => {
    const { centre, cut } = places;
    await cut.erasures.erase({ ids: [ada], until: at(1), expiresAt: at(9_999) });
    await places.pass();
    await centre.take({ kind: 'name', id: ada, name: lovelace, stamp: null });
    // The station receives, but cannot send.
    cut.transport.fate = () => 'arrives';
    cut.transport.push = () => Promise.reject(new Error('too slow'));
    cut.sync.wake();
    await places.pass();
    expect([centre.record().names.length, cut.record().names.length]).to.deep.equal([1, 0]);
  });
});

const endAt = ({ erasures }: Pick<Centre, 'erasures'>): number | undefined =>
  erasures.of(ada).map(({ until }) => until)[0];

describe('an erasure by a clock that was ahead', () => {
  test('ends at its station when it ends at the centre', async (places) => {
    const { centre, cut } = places;
    await cut.erasures.erase({ ids: [ada], until: at(86_400), expiresAt: at(99_999) });
    await places.reconnect(cut);
    const end = endAt(cut);
    expect(end)
      .to.be.within(NOW, NOW + LONG + 10)
      .and.equal(endAt(centre));
    await centre.mapping.put(ada, babbage);
    await places.pass();
    expect(cut.record().names).to.deep.equal([`${ada} Charles Babbage`]);
  });

  test('reaches the centre if it was made while another answer was on its way', async (places) => {
    const { centre, desk } = places;
    await centre.erasures.erase({ ids: [ada], until: at(1), expiresAt: at(99_999) });
    await places.pass();
    await centre.days.record(TODAY, ada, at(5));
    const { transport } = desk;
    const push = transport.push.bind(transport);
    let isErased = false;
    transport.push = async (batch) => {
      const answer = await push(batch);
      if (batch.items.some(({ kind }) => kind === 'name')) {
        transport.push = push;
        isErased = true;
        await desk.erasures.erase({ ids: [ada], until: at(86_400), expiresAt: at(99_999) });
      }
      return answer;
    };
    // The centre refuses the name, and the station learns how long.
    desk.clock.setSynchronised(false);
    await desk.names.put(ada, grace);
    await pass([centre, desk], LONG);
    expect(isErased).to.equal(true);
    expect(centre.record().scans).to.deep.equal([]);
    expect(endAt(desk)).to.equal(endAt(centre));
  });

  test('removes no data of the next holder, if it comes again because its answer was lost', async (places) => {
    const { centre, cut } = places;
    cut.transport.fate = () => 'answer-lost';
    await cut.erasures.erase({ ids: [ada], until: at(86_400), expiresAt: at(99_999) });
    cut.sync.wake();
    await pass([centre, cut], 2);
    const end = endAt(centre);
    expect(end).to.be.below(NOW + LONG);
    cut.transport.fate = () => 'lost';
    await pass([centre, cut], LONG);
    await centre.mapping.put(ada, babbage);
    await places.reconnect(cut);
    expect(centre.record().names).to.deep.equal([`${ada} Charles Babbage`]);
    expect([centre, cut].map((place) => endAt(place))).to.deep.equal([end, end]);
  });

  itWhenMet('keeps its end, if the clock was ahead within the allowed limit', async ({ centre, station }) => {
    await station.erasures.erase({ ids: [ada], until: at(300), expiresAt: at(9_999) });
    await settle();
    expect(endAt(station)).to.equal(at(300));
    expect(endAt(centre)).to.equal(at(0));
    expect(station.transport.snapshots).to.equal(1);
  });
});

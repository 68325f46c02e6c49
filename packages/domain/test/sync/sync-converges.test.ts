import { expect } from 'chai';
import * as fc from 'fast-check';
import { converge, fates, passing, step } from './converge.js';
import { ada, at, bob, forgotten, TODAY } from './sync-world.js';

const STATIONS = 3;

/** Place of an action: one of the stations, or the centre (last number). */
const where = fc.nat(STATIONS);
const second = fc.nat(50);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: step(['tap'], { where, second }) },
    { weight: 4, arbitrary: step(['name', 'unname'], { where, second }) },
    step(['correct'], { where, second }),
    { weight: 3, arbitrary: step(['network'], { where, fates }) },
    step(['clock'], { where, second: fc.integer({ min: -9_000, max: 9_000 }) }),
    step(['restart', 'erase'], { where }),
    { weight: 3, arbitrary: passing },
  ),
  { maxLength: 25 },
);

describe('stations and their centre', () => {
  it('have the same names, corrections and scans at the end, after all faults between them', async () => {
    await converge(steps, STATIONS, (centre, stations) => {
      const tapped = new Set<string>();
      let name = 0;
      return {
        take: async (place, step, station) => {
          switch (step.kind) {
            case 'tap':
              await place.days.record(TODAY, ada, at(step.second + step.where * 100), { reader: 'door' });
              tapped.add(`${TODAY} ${ada} ${at(step.second + step.where * 100)}`);
              break;
            case 'name': {
              const mapping = station?.names ?? centre.mapping;
              const its = { first: `${name++}`, last: 'x' };
              if (mapping === centre.mapping) await centre.mapping.put(step.second % 2 ? ada : bob, its);
              else await station?.names.put(step.second % 2 ? ada : bob, its);
              break;
            }
            case 'unname':
              await (station?.names ?? centre.mapping).remove(step.second % 2 ? ada : bob);
              break;
            case 'correct':
              await place.corrections.correct([
                forgotten(ada, step.second, { author: `desk ${step.where}` }),
              ]);
              break;
            case 'clock':
              place.clock.set(at(step.second));
              break;
            case 'erase':
              await place.erasures.erase({ ids: [bob], until: place.timekeeper.now(), expiresAt: at(1e9) });
              break;
            case 'network':
            case 'restart':
            case 'pass':
          }
        },
        check: async () => {
          const { scans, names, corrections } = centre.record();
          expect(scans).to.deep.equal([...tapped].sort());
          for (const station of stations) {
            expect(station.record().names).to.deep.equal(names);
            expect(station.record().corrections).to.deep.equal(corrections);
            expect(await station.stamped.get([ada])).to.deep.equal(await centre.stamped.get([ada]));
            expect((await station.sync.report()).status.waiting).to.equal(0);
          }
        },
      };
    });
  });
});

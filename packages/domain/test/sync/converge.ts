import * as fc from 'fast-check';
import { Centre, pass, settle, Station, type Fate, type Place } from './sync-world.js';

/** A step of one of these kinds. */
export function step<Kind extends string, More extends object>(
  kinds: readonly Kind[],
  more: { [Key in keyof More]: fc.Arbitrary<More[Key]> },
): fc.Arbitrary<{ kind: Kind } & More> {
  return fc.record({ kind: fc.constantFrom(...kinds), ...more }) as fc.Arbitrary<{ kind: Kind } & More>;
}

/** What becomes of the next messages between a station and its centre. */
export const fates = fc.array(fc.constantFrom<Fate>('arrives', 'lost', 'answer-lost', 'twice'), {
  maxLength: 4,
});
export const passing = step(['pass'], { seconds: fc.integer({ min: 1, max: 9 }) });

/** A step at a place, after its number; the centre has the last one. Some steps are known here by their `kind`. */
interface Step {
  readonly kind: string;
  readonly where?: number;
  /** Of a `network`: the fates of the next calls, in turn. Without fates the network is down. */
  readonly fates?: readonly Fate[];
  /** Of a `pass`. */
  readonly seconds?: number;
}

interface Run<S extends Step> {
  /** Does what is not known here. */
  take(place: Place, step: S, station: Station | undefined): Promise<void>;
  /** Checks what all have at the end. */
  check(): Promise<void>;
}

/** Lets steps happen between a centre and its stations, and then all stations meet it. */
export function converge<S extends Step>(
  steps: fc.Arbitrary<readonly S[]>,
  count: number,
  begin: (centre: Centre, stations: readonly Station[]) => Run<S>,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await using centre = await Centre.open();
      const stations: Station[] = [];
      for (let n = 0; n < count; n++) stations.push(await Station.open(`gate ${n}`, centre));
      try {
        const run = begin(centre, stations);
        for (const step of all) {
          const { kind, where = count, fates = [], seconds = 1 } = step;
          if (kind === 'pass') {
            await pass([...stations, centre], seconds);
            continue;
          }
          const station = stations[where];
          if (kind === 'network' && station !== undefined) {
            let turn = 0;
            station.transport.fate = () => fates[turn++ % fates.length] ?? 'lost';
          } else if (kind === 'restart' && station !== undefined) {
            await station[Symbol.asyncDispose]();
            stations[where] = await Station.open(station.name, centre, station.contents);
          } else await run.take(station ?? centre, step, station);
          await settle();
        }
        for (const station of stations) station.transport.fate = () => 'arrives';
        for (let round = 0; round < 3; round++) {
          for (const station of stations) station.sync.wake();
          await pass([...stations, centre], 30);
        }
        await run.check();
      } finally {
        for (const station of stations) await station[Symbol.asyncDispose]();
      }
    }),
    { numRuns: 25, seed: 20_411 },
  );
}

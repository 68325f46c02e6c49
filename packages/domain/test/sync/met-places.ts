import { Centre, pass, Station, type Place } from './sync-world.js';

/** Longer than the pause between two attempts of a station, in seconds. */
export const LONG = 60;

/** A centre, and stations of these names that met it. */
export async function openPlaces<Name extends string>(...names: readonly Name[]) {
  const centre = await Centre.open();
  const stations = {} as Record<Name, Station>;
  for (const name of names) stations[name] = await Station.open(name, centre);
  const places: readonly Place[] = [centre, ...names.map((name) => stations[name])];
  await pass(places, 1);
  return {
    ...stations,
    ...{ centre, places },
    pass: (seconds = 5) => pass(places, seconds),
    cutOff: (...some: readonly Station[]) => {
      for (const { transport } of some) transport.fate = () => 'lost';
    },
    reconnect: async (...some: readonly Station[]) => {
      for (const { transport, sync } of some) {
        transport.fate = () => 'arrives';
        sync.wake();
      }
      await pass(places, LONG);
    },
    [Symbol.asyncDispose]: async () => {
      for (const place of [...places].reverse()) await place[Symbol.asyncDispose]();
    },
  };
}

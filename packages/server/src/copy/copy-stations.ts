import type { RefusedNote, StationRecord } from '@tallybook/domain/sync';
import type { FullStorage } from '../config/stores.js';

type Stations = Pick<FullStorage, 'stations'>;

/**
 * Copies the states of the stations of a centre, except for stations from which the target has heard later. Only the last run of
 * a station is known; the station sends the changes of its other runs again.
 */
export async function copyStations({ stations: from }: Stations, { stations: to }: Stations): Promise<void> {
  const known = new Map((await to.list()).map((station) => [station.name, station]));
  for (const station of await from.list()) {
    if ((known.get(station.name)?.heardAt ?? -1) > station.heardAt) continue;
    const { name, run, acknowledged, heardAt, status, refused } = station;
    const isNotedWith = (one: RefusedNote, other: RefusedNote): boolean =>
      one.run === other.run && one.at === other.at;
    for (const notes of inGroups(refused, isNotedWith)) await noteRefused(to, station, notes);
    await to.acknowledge(name, run, acknowledged, { heardAt, status, refused: [] });
  }
}

async function noteRefused(
  to: Stations['stations'],
  { name, status }: StationRecord,
  notes: readonly [RefusedNote, ...RefusedNote[]],
): Promise<void> {
  const [{ run, at: heardAt }] = notes;
  const refused = notes.map(({ cursor, code, message }) => ({ cursor, code, message }));
  // This does not change the acknowledged cursor of the run.
  await to.acknowledge(name, run, 0, { heardAt, status, refused });
}

/** Groups of consecutive items that belong together. */
function inGroups<T>(
  items: readonly T[],
  belong: (one: T, other: T) => boolean,
): readonly (readonly [T, ...T[]])[] {
  const groups: [T, ...T[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group !== undefined && belong(group[0], item)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

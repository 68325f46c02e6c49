import type { RefusedNote, StationRecord } from '@tallybook/domain';
import type { Stores } from '../config/stores.js';

type Stations = Pick<Stores, 'stations'>;

/**
 * Copies what a centre knows of its stations, unless the target has heard of them later. Only the last run of a station is known;
 * the station sends the changes of its other runs again. Which keys of erasures it brought is not known either, so it may bring 16 more.
 */
export async function copyStations({ stations: from }: Stations, { stations: to }: Stations): Promise<void> {
  const known = new Map((await to.list()).map((station) => [station.name, station]));
  for (const station of await from.list()) {
    if ((known.get(station.name)?.heardAt ?? -1) > station.heardAt) continue;
    for (const notes of notesTogether(station.refused)) await noteRefused(to, station, notes);
    const { name, run, acknowledged, heardAt, status } = station;
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
  // It leaves how far the run got as it is.
  await to.acknowledge(name, run, 0, { heardAt, status, refused });
}

/** Groups of consecutive notes with the same run and moment. */
function notesTogether(notes: readonly RefusedNote[]): readonly (readonly [RefusedNote, ...RefusedNote[]])[] {
  const groups: [RefusedNote, ...RefusedNote[]][] = [];
  for (const note of notes) {
    const group = groups.at(-1);
    if (group?.[0].run === note.run && group[0].at === note.at) group.push(note);
    else groups.push([note]);
  }
  return groups;
}

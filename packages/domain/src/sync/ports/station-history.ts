import type { Cursor } from '../../ports/record/journal.js';
import {
  STATION_REFUSED_MAX,
  STATION_RUNS_MAX,
  type RefusedNote,
  type StationNotes,
  type StationRecord,
} from './station-store.js';

/** A run of a station, and the cursor up to which it is acknowledged. */
export type StationRun = readonly [run: string, acknowledged: Cursor];

/** The cursor up to which a run is acknowledged; 0 if the run is unknown. */
export function acknowledgedOf(runs: readonly StationRun[], run: string): Cursor {
  return runs.find(([each]) => each === run)?.[1] ?? 0;
}

/** The run that was acknowledged last, with its cursor. */
export function latestRunOf(runs: readonly StationRun[]): Pick<StationRecord, 'run' | 'acknowledged'> {
  const [run, acknowledged] = runs.at(-1) ?? ['', 0];
  return { run, acknowledged };
}

/** The runs to keep after a run was acknowledged up to a cursor: that run at the end. Its cursor never goes back. */
export function withAcknowledged(
  runs: readonly StationRun[],
  run: string,
  through: Cursor,
): readonly StationRun[] {
  const its: StationRun = [run, Math.max(acknowledgedOf(runs, run), through)];
  return [...runs.filter(([each]) => each !== run), its].slice(-STATION_RUNS_MAX);
}

/**
 * The refused items to keep, with those of a new batch: the last note for each cursor of a run, and of these notes the
 * latest ones.
 */
export function withRefused(
  before: readonly RefusedNote[],
  run: string,
  { heardAt, refused }: Pick<StationNotes, 'heardAt' | 'refused'>,
): readonly RefusedNote[] {
  const latest = new Map<string, RefusedNote>();
  for (const note of [...before, ...refused.map((item): RefusedNote => ({ ...item, run, at: heardAt }))]) {
    const change = JSON.stringify([note.run, note.cursor]);
    // Deleted first, so that the note moves to the end of the map.
    latest.delete(change);
    latest.set(change, note);
  }
  return [...latest.values()].slice(-STATION_REFUSED_MAX);
}

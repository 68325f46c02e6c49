import type { Cursor, Name, TallyId } from '@tallybook/domain';
import {
  MemoryErasures,
  noChanges,
  noCorrections,
  noPeople,
  noProvisionalScans,
  type MemoryChanges,
  type MemoryCorrections,
  type MemoryDays,
  type MemoryPeople,
  type MemoryProvisionalScans,
  type MemoryStamps,
  type MemoryStations,
} from '@tallybook/store-memory';
import type { Random } from '../../random.js';

/** All stored data of a machine. They survive its programs, and a copy of them is a backup. */
export interface Storage {
  readonly names: Map<TallyId, Name>;
  readonly stamps: MemoryStamps;
  readonly people: MemoryPeople;
  readonly days: MemoryDays;
  readonly scans: MemoryProvisionalScans;
  readonly corrections: MemoryCorrections;
  readonly erasures: MemoryErasures;
  readonly changes: MemoryChanges;
  /** Positions of the consumers of the journal that survive a power cut. */
  readonly safePositions: Map<string, Cursor>;
  readonly stations: MemoryStations;
}

export function newStorage(random: Random): Storage {
  const erasures = new MemoryErasures();
  // So that the seed fixes it.
  erasures.key = hexOf(random, 32);
  return {
    names: new Map(),
    stamps: new Map(),
    people: noPeople(),
    days: new Map(),
    scans: noProvisionalScans(),
    corrections: noCorrections(),
    erasures,
    changes: { ...noChanges(), origin: hexOf(random, 16) },
    safePositions: new Map(),
    stations: new Map(),
  };
}

export function copyStorage(storage: Storage): Storage {
  const { erasures, ...rest } = storage;
  return { ...structuredClone(rest), erasures: erasures.copy() };
}

/** The same record with a new journal that nobody has read, as after the restore of a backup. */
export function withNewJournal(storage: Storage, random: Random): Storage {
  return {
    ...storage,
    changes: { ...noChanges(), origin: hexOf(random, 16) },
    safePositions: new Map(),
  };
}

/** A power cut: unwritten positions are lost, and consumers go back to the written ones. */
export function losePositions({ changes, safePositions }: Storage): void {
  changes.positions.clear();
  for (const [consumer, cursor] of safePositions) changes.positions.set(consumer, cursor);
}

/** Writes the positions of consumers, as every change of the record does. */
export function keepPositions({ changes, safePositions }: Storage): void {
  safePositions.clear();
  for (const [consumer, cursor] of changes.positions) safePositions.set(consumer, cursor);
}

/** Removes the oldest changes, as a journal at its limit does. */
export function forgetChanges({ changes }: Storage, keeps: number): void {
  const surplus = changes.entries.length - keeps;
  if (surplus > 0) changes.forgotten = changes.entries.splice(0, surplus).at(-1)?.cursor ?? changes.forgotten;
}

function hexOf(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.between(0, 15).toString(16)).join('');
}

import type { Cursor, Erasure, Name, TallyId } from '@tallybook/domain';
import {
  noChanges,
  noCorrections,
  noProvisionalScans,
  type MemoryChanges,
  type MemoryCorrections,
  type MemoryDays,
  type MemoryProvisionalScans,
  type MemoryStamps,
  type MemoryStations,
} from '@tallybook/store-memory';
import type { Random } from '../../random.js';

/** All that a machine stores. It survives its programs, and a copy of it is a backup. */
export interface Storage {
  readonly names: Map<TallyId, Name>;
  readonly stamps: MemoryStamps;
  readonly days: MemoryDays;
  readonly scans: MemoryProvisionalScans;
  readonly corrections: MemoryCorrections;
  /** By digest. */
  readonly erasures: Map<string, Erasure>;
  readonly changes: MemoryChanges;
  /** How far the consumers of the journal got, as far as that survives a power cut. */
  readonly safePositions: Map<string, Cursor>;
  readonly stations: MemoryStations;
}

/** Nobody's: the first erasure of a store makes up a key, and takes it from this one instead, so that the seed fixes it. */
const NOBODY = '0'.repeat(32);

export function newStorage(random: Random): Storage {
  const erasures = new Map<string, Erasure>();
  erasures.set(NOBODY, {
    key: hexOf(random, 32),
    digest: NOBODY,
    until: 0 as Erasure['until'],
    expiresAt: Number.MAX_SAFE_INTEGER as Erasure['expiresAt'],
  });
  return {
    names: new Map(),
    stamps: new Map(),
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
  return structuredClone(storage);
}

/** The same record with a journal of its own, as a restored backup has it: nobody has read any of it. */
export function withNewJournal(storage: Storage, random: Random): Storage {
  return {
    ...storage,
    changes: { ...noChanges(), origin: hexOf(random, 16) },
    safePositions: new Map(),
  };
}

/** A power cut: positions that were not written down are lost, and consumers go back to those that were. */
export function losePositions({ changes, safePositions }: Storage): void {
  changes.positions.clear();
  for (const [consumer, cursor] of safePositions) changes.positions.set(consumer, cursor);
}

/** Writes down how far consumers got, as every change of the record does. */
export function keepPositions({ changes, safePositions }: Storage): void {
  safePositions.clear();
  for (const [consumer, cursor] of changes.positions) safePositions.set(consumer, cursor);
}

/** Removes the oldest changes, as a journal that has no room for more. */
export function forgetChanges({ changes }: Storage, keeps: number): void {
  const surplus = changes.entries.length - keeps;
  if (surplus > 0) changes.forgotten = changes.entries.splice(0, surplus).at(-1)?.cursor ?? changes.forgotten;
}

function hexOf(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.between(0, 15).toString(16)).join('');
}

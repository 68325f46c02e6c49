import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryStorage } from '@tallybook/store-memory';
import type { FullStorage } from '../../src/config/stores.js';
import type { Content } from './contents.js';
import type { Exchange } from './exchange.js';
import { NOW } from './places.js';

const folder = new URL('./', import.meta.url).pathname;

/** The releases whose files are kept, each in a folder of its own. */
export const corpora: readonly string[] = readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

/** Stores are read as at the time when they were written. */
export const asOfThen = {
  clock: { now: () => NOW as never },
  stamps: { now: () => NOW * 1_000 },
};

export function pathIn(version: string, name: string): string {
  return join(folder, version, name);
}

export function linesIn(version: string, name: string): readonly string[] {
  return readFileSync(pathIn(version, name), 'utf8').split('\n').slice(0, -1);
}

export function rowsIn(version: string, name: string): readonly Content[] {
  return linesIn(version, name).map((line) => JSON.parse(line) as Content);
}

export function exchangesIn(version: string): readonly Exchange[] {
  return linesIn(version, 'exchanges.jsonl').map((line) => JSON.parse(line) as Exchange);
}

/** Stores in memory, which keep what was written while they are closed. */
export function makeMemory(): FullStorage {
  return new MemoryStorage({ stamps: asOfThen.stamps });
}

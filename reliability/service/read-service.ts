import { setTimeout as delay } from 'node:timers/promises';
import type { Contents, ShownEntry, ShownJournal } from '../ledger/contents.js';

/** How long nothing may be filed once the clock is right, in milliseconds. Only a failure takes this long. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 10;
const DAY_SECONDS = 86_400;

/** What `/api/provisional` tells of a scan. */
interface WaitingScan {
  readonly sequence: number;
  readonly id: string;
  readonly shown: number;
}

/**
 * Everything that a service shows over HTTP, once it has filed what it can.
 *
 * @param after From which cursor on to read its journal; without it, it is not read.
 */
export async function readService(url: string, after?: number): Promise<Contents> {
  const waiting = await readWaiting(url);
  const mapping = (await getJson(`${url}/api/mapping`)) as Record<string, { first: string; last: string }>;
  const listed = (await getJson(`${url}/api/days?from=0&to=18446744073709551615`)) as readonly number[];
  const days = new Map<number, readonly ShownEntry[]>();
  for (const day of listed) {
    const { ids, entries } = (await getJson(`${url}/api/day?day=${day}&expand=entries`)) as {
      readonly ids: readonly string[];
      readonly entries: readonly ShownEntry[];
    };
    if (ids.join() !== entries.map(({ id }) => id).join())
      throw new Error(`day ${day}: ids and entries differ`);
    days.set(day, entries);
  }
  const provisional = waiting.map(({ sequence, id, shown }) => ({ sequence, id, shown, isFiling: true }));
  const contents = { mapping: new Map(Object.entries(mapping)), days, provisional };
  return after === undefined ? contents : { ...contents, journal: await readJournal(url, after) };
}

/** The oldest day of the record, unless somebody may still tap on it or a scan waits for it. */
export async function findOldDay(url: string): Promise<number | undefined> {
  const { isTrusted, day } = (await getJson(`${url}/api/time`)) as { isTrusted: boolean; day: number };
  const { waiting } = (await getJson(`${url}/api/provisional`)) as { waiting: readonly WaitingScan[] };
  if (!isTrusted || waiting.length > 0) return undefined;
  const days = (await getJson(`${url}/api/days?from=0&to=${day * DAY_SECONDS - 1}`)) as readonly number[];
  return days[0];
}

async function readJournal(url: string, after: number): Promise<ShownJournal> {
  const journal = (await getJson(`${url}/harness/journal?after=${after}`)) as ShownJournal & {
    readonly reason?: string;
  };
  // That it is behind what was read before, the ledger sees.
  if (journal.reason === 'too-old')
    throw new Error(`the journal has nothing after ${after}: ${journal.reason}`);
  return journal;
}

async function readWaiting(url: string): Promise<readonly WaitingScan[]> {
  const { isTrusted } = (await getJson(`${url}/api/time`)) as { readonly isTrusted: boolean };
  let least = Infinity;
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    const { waiting } = (await getJson(`${url}/api/provisional`)) as { waiting: readonly WaitingScan[] };
    if (!isTrusted || waiting.length === 0) return waiting;
    if (waiting.length < least) waitedMs = 0;
    least = Math.min(least, waiting.length);
    await delay(LOOK_MS);
  }
  throw new Error('the clock is right, and what was provisional is not filed');
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

import { setTimeout as delay } from 'node:timers/promises';
import type {
  Contents,
  ShownAccess,
  ShownCorrection,
  ShownEntry,
  ShownJournal,
  ShownPeople,
  ShownTablePerson,
} from '../ledger/contents.js';
import type { AccessLedger } from '../ledger/access-ledger.js';
import type { Ledger } from '../ledger/ledger.js';
import { isCorrected } from './desk.js';
import { showAccess } from './show-access.js';

/** Limit for a time without filings after the clock is right, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 10;
const DAY_SECONDS = 86_400;
/** Each tap takes a second of the clock of the service. */
const MARGIN_SECONDS = 1_000;

/** A scan in the answer of `/api/provisional`. */
interface WaitingScan {
  readonly sequence: number;
  readonly id: string;
  readonly shown: number;
}

/**
 * All data that a service shows over HTTP, after it has filed all scans that it can file.
 *
 * @param ledger Gives the start of the journal and the possible users. Without it, journal and users are not read.
 */
export async function readService(url: string, ledger?: Ledger): Promise<Contents> {
  const waiting = await readWaiting(url);
  const mapping = (await getJson(`${url}/api/mapping`)) as Record<string, { first: string; last: string }>;
  const listed = (await getJson(`${url}/api/days?from=0&to=18446744073709551615`)) as readonly number[];
  const days = new Map<number, readonly ShownEntry[]>();
  for (const day of listed) {
    const { ids, entries } = (await getJson(`${url}/api/day?day=${day}&expand=entries`)) as {
      readonly ids: readonly string[];
      readonly entries: readonly ShownEntry[];
    };
    // Tags that are only corrected have no scans.
    const tapped = entries.filter(({ id }) => !isCorrected(id));
    if (ids.filter((id) => !isCorrected(id)).join() !== tapped.map(({ id }) => id).join())
      throw new Error(`day ${day}: ids and entries differ`);
    if (tapped.length > 0 || entries.length === 0) days.set(day, tapped);
  }
  const provisional = waiting.map(({ sequence, id, shown }) => ({ sequence, id, shown, isFiling: true }));
  const corrections = (await getJson(
    `${url}/api/corrections?from=0&to=18446744073709551615`,
  )) as readonly ShownCorrection[];
  const contents = { mapping: new Map(Object.entries(mapping)), days, provisional, corrections };
  if (ledger === undefined) return contents;
  const journal = await readJournal(url, ledger.after);
  const [people, table] = [await readPeople(url), await readTable(url, listed)];
  return { ...contents, journal, people, table, access: await readAccess(url, ledger.access) };
}

async function readPeople(url: string): Promise<ShownPeople> {
  const { persons, timelines } = (await getJson(`${url}/harness/people`)) as {
    readonly persons: readonly (readonly [string, string])[];
    readonly timelines: readonly (readonly [string, string])[];
  };
  return { persons: new Map(persons), timelines: new Map(timelines) };
}

/** What the table shows of persons with a number. */
async function readTable(url: string, days: readonly number[]): Promise<readonly ShownTablePerson[]> {
  const [from, to] = [days[0] ?? 0, days.at(-1) ?? 0].map((day) => day * DAY_SECONDS);
  const { people } = (await getJson(`${url}/api/table?from=${from}&to=${to}`)) as {
    readonly people: readonly (Omit<ShownTablePerson, 'number'> & { readonly number: string | null })[];
  };
  return people.flatMap(({ number, days: on }) => (number === null ? [] : [{ number, days: on }]));
}

/** The oldest day of the record, unless taps may still come on it, or a scan waits for it. */
export async function findOldDay(url: string): Promise<readonly number[]> {
  const { isTrusted, day } = (await getJson(`${url}/api/time`)) as { isTrusted: boolean; day: number };
  const { waiting } = (await getJson(`${url}/api/provisional`)) as { waiting: readonly WaitingScan[] };
  if (!isTrusted || waiting.length > 0) return [];
  const days = (await getJson(`${url}/api/days?from=0&to=${day * DAY_SECONDS - 1}`)) as readonly number[];
  return days.slice(0, 1);
}

/** The days that were kept long enough, unless a scan waits for its day, or the day is about to end. */
export async function findExpiredDays(url: string): Promise<readonly number[]> {
  const { isTrusted, time } = (await getJson(`${url}/api/time`)) as { isTrusted: boolean; time: number };
  const { waiting } = (await getJson(`${url}/api/provisional`)) as { waiting: readonly WaitingScan[] };
  if (!isTrusted || waiting.length > 0 || time % DAY_SECONDS > DAY_SECONDS - MARGIN_SECONDS) return [];
  const { days } = (await getJson(`${url}/api/retention`)) as { days: readonly { day: number }[] };
  return days.map(({ day }) => day);
}

async function readAccess(url: string, ledger: AccessLedger): Promise<ShownAccess> {
  const users = (await getJson(`${url}/api/users`)) as readonly { name: string; role: string }[];
  const credentials = (await getJson(`${url}/api/credentials?all=1`)) as readonly {
    kind: string;
    label: string;
    user: string | null;
  }[];
  return showAccess({ users, credentials }, ledger.versions, (name, password) =>
    ledger.isSettled(name) ? Promise.resolve(true) : canSignIn(url, name, password),
  );
}

/** Signs in, and out again. */
async function canSignIn(url: string, name: string, password: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ name, password });
  const answer = await fetch(`${url}/api/session`, { method: 'POST', headers, body });
  if (answer.status === 401) return false;
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const end = await fetch(`${url}/api/session`, { method: 'DELETE', headers: { cookie, origin: url } });
  if (answer.status !== 200 || end.status !== 204)
    throw new Error(`signing in and out answered ${answer.status} and ${end.status}`);
  return true;
}

async function readJournal(url: string, after: number): Promise<ShownJournal> {
  const journal = (await getJson(`${url}/harness/journal?after=${after}`)) as ShownJournal & {
    readonly reason?: string;
  };
  // A journal that has lost its end is accepted here: the ledger finds that.
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

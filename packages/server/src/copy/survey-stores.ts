import { createHash, type Hash } from 'node:crypto';
import {
  carriedPages,
  compareStamps,
  NO_STAMP,
  personPages,
  plainCarried,
  plainGroup,
  plainPerson,
  plainTimeline,
  timelinePages,
  type AttendanceDay,
  type DetailedEntry,
  type StampedName,
  type TallyId,
} from '@tallybook/domain';
import { entriesOf, type AuditEntry } from '@tallybook/domain/access';
import { knownScans, pagesOf, type Correction } from '@tallybook/domain/record';
import type { FullStorage } from '../config/stores.js';

/** The kinds of data in stores, in the order of the report. */
export const recordKinds = [
  'persons',
  'timelines',
  'groups',
  'carried rows',
  'names',
  'stamps of names',
  'days',
  'entries',
  'scans',
  'corrections',
  'provisional scans',
  'users',
  'credentials',
  'audit entries',
  'receipts',
  'stations',
  'erasures',
] as const;
type RecordKind = (typeof recordKinds)[number];

/** The number of items of a kind, and a SHA-256 of all of them in hex. */
interface Tally {
  readonly count: number;
  readonly digest: string;
}

export type Survey = Readonly<Record<RecordKind, Tally>>;

/**
 * Counts all data of stores, and makes digests of it. Two stores with the same record have the same survey: the order of lists
 * is ignored, and so are numbers that each store assigns itself.
 */
export async function surveyStores(
  stores: FullStorage,
  onDay: (day: number) => void = () => undefined,
): Promise<Survey> {
  const sums = Object.fromEntries(recordKinds.map((kind) => [kind, new Sum()])) as Record<RecordKind, Sum>;
  {
    await using snapshot = await stores.snapshots.take();
    for await (const [id, { first, last }] of snapshot.names()) sums.names.add(id, first, last);
    for await (const day of snapshot.details()) {
      onDay(day.day);
      surveyDay(day, sums);
    }
    let ofDay: Correction[] = [];
    for await (const correction of snapshot.corrections()) {
      if (ofDay[0]?.day !== correction.day) ofDay = addCorrections(sums.corrections, ofDay);
      ofDay.push(correction);
    }
    addCorrections(sums.corrections, ofDay);
    for await (const scan of snapshot.provisional()) {
      sums['provisional scans'].add({ ...scan, sequence: undefined });
    }
  }
  for await (const page of personPages(stores.people))
    for (const person of page) sums.persons.add(plainPerson(person));
  for await (const page of timelinePages(stores.people))
    for (const timeline of page) sums.timelines.add(plainTimeline(timeline));
  for (const group of await stores.people.groups()) sums.groups.add(plainGroup(group));
  for await (const page of carriedPages(stores.people))
    for (const row of page) sums['carried rows'].add(plainCarried(row));
  for await (const { id, name, stamp } of stampedNamesOf(stores)) {
    const isStamped = compareStamps(stamp, NO_STAMP) !== 0 || stamp === undefined || name === undefined;
    if (isStamped) sums['stamps of names'].add(id, name !== undefined, stamp ?? null);
  }
  const { users, credentials } = await stores.access.read();
  for (const user of users) sums.users.add(user);
  for (const credential of credentials) sums.credentials.add(credential);
  for await (const entry of auditEntriesOf(stores)) sums['audit entries'].add(entry);
  const receipts = [...(await stores.receipts.list())].sort((a, b) => compare(a.device, b.device));
  for (const { device, run, number } of receipts) sums.receipts.add(device, run, number);
  for (const station of await stores.stations.list()) sums.stations.add(station);
  for (const { key, digest, from, until, expiresAt } of await stores.erasures.list()) {
    sums.erasures.add(key, digest, from, until, expiresAt);
  }
  return Object.fromEntries(recordKinds.map((kind) => [kind, sums[kind].tally()])) as Record<
    RecordKind,
    Tally
  >;
}

/** All entries of an audit trail, ascending. */
export function auditEntriesOf({ audit }: Pick<FullStorage, 'audit'>): AsyncIterable<AuditEntry> {
  return entriesOf(audit);
}

/** All names with their stamps, including removed names, ascending by id. */
export async function* stampedNamesOf(
  stores: Pick<FullStorage, 'stampedNames'>,
): AsyncGenerator<StampedName, void, undefined> {
  for await (const page of stampedNamePages(stores)) yield* page;
}

/** The same, page by page. */
export function stampedNamePages({
  stampedNames,
}: Pick<FullStorage, 'stampedNames'>): AsyncIterable<readonly StampedName[]> {
  return pagesOf(
    (after: TallyId | undefined, limit) => stampedNames.page(after, limit),
    ({ id }) => id,
  );
}

function surveyDay(
  { day, entries }: AttendanceDay<DetailedEntry>,
  sums: Readonly<Record<RecordKind, Sum>>,
): void {
  sums.days.add(day);
  const sorted = [...entries].sort((a, b) => compare(a.id, b.id));
  for (const entry of sorted) {
    const { id, first, last, count } = entry;
    sums.entries.add(day, id, first, last, count);
    for (const { at, flags } of knownScans(entry)) sums.scans.add(day, id, at, flags);
  }
}

/**
 * Adds the corrections of a day, in an order that does not depend on their numbers. Returns an empty list for the next
 * day.
 */
function addCorrections(sum: Sum, corrections: readonly Correction[]): Correction[] {
  const texts = corrections.map((correction) => canonical({ ...correction, number: undefined }));
  for (const text of texts.sort(compare)) sum.addText(text);
  return [];
}

class Sum {
  #count = 0;
  readonly #hash: Hash = createHash('sha256');

  add(...parts: readonly unknown[]): void {
    this.addText(canonical(parts));
  }

  addText(text: string): void {
    this.#count++;
    this.#hash.update(`${text}\n`);
  }

  tally(): Tally {
    return { count: this.#count, digest: this.#hash.digest('hex') };
  }
}

/** JSON with sorted keys of objects, without undefined values. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => compare(a, b)))
      : part,
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

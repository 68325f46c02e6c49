import {
  carriedKeyOf,
  carriedPages,
  DAY_MAX,
  personPages,
  timelinePages,
  type Day,
  type Snapshot,
  type TallyId,
  type Timeline,
  type Timestamp,
} from '@tallybook/domain';
import { isSameCorrection, joinFlags, knownScans } from '@tallybook/domain/record';
import type { FullStorage } from '../config/stores.js';
import { auditEntriesOf, canonical, stampedNamesOf } from './survey-stores.js';

/**
 * Describes, for people, one thing that a target has and a source does not. `undefined` if there is none: the target is empty
 * or an earlier copy. It takes as long as reading the target.
 */
export async function findForeign(from: FullStorage, to: FullStorage): Promise<string | undefined> {
  await using source = await from.snapshots.take();
  await using target = await to.snapshots.take();
  return (
    (await foreignPerson(from, to)) ??
    (await foreignName(source, target)) ??
    (await foreignRemoval(from, to)) ??
    (await foreignEntry(source, target)) ??
    (await foreignCorrection(source, target)) ??
    (await foreignProvisional(source, target)) ??
    (await foreignAccess(from, to)) ??
    (await foreignTrail(from, to)) ??
    (await foreignReceipt(from, to)) ??
    (await foreignStation(from, to)) ??
    (await foreignErasure(from, to))
  );
}

async function foreignPerson(
  { people: from }: FullStorage,
  { people: to }: FullStorage,
): Promise<string | undefined> {
  const known = new Set((await from.groups()).map(({ id }) => id));
  const group = (await to.groups()).find(({ id }) => !known.has(id));
  if (group !== undefined) return `another group, ${group.id}`;
  for await (const page of carriedPages(to)) {
    const { carried } = await from.read({ carried: page.map(carriedKeyOf) });
    const other = page.map(carriedKeyOf).find((key) => carried.get(key) === undefined);
    if (other !== undefined) return `another row, ${other}`;
  }
  for await (const page of personPages(to)) {
    const ids = page.map(({ id }) => id);
    const { persons } = await from.read({ persons: ids });
    const other = ids.find((id) => persons.get(id) === undefined);
    if (other !== undefined) return `another person, ${other}`;
  }
  for await (const page of timelinePages(to)) {
    const { timelines } = await from.read({ timelines: page.map(({ tag }) => tag) });
    const isKnown = ({ tag, entries }: Timeline): boolean => {
      const seconds = new Set(timelines.get(tag)?.entries.map(({ since }) => since));
      return entries.every(({ since }) => seconds.has(since));
    };
    const other = page.find((timeline) => !isKnown(timeline));
    if (other !== undefined) return `another holder of the tag ${other.tag}`;
  }
  return undefined;
}

async function foreignName(source: Snapshot, target: Snapshot): Promise<string | undefined> {
  const known = source.names()[Symbol.asyncIterator]();
  let next = await known.next();
  // Both lists ascend by id.
  for await (const [id, name] of target.names()) {
    while (next.done !== true && next.value[0] < id) next = await known.next();
    const isKnown =
      next.done !== true && next.value[0] === id && canonical(next.value[1]) === canonical(name);
    if (!isKnown) return `another name of the tag ${id}`;
  }
  return undefined;
}

async function foreignRemoval(from: FullStorage, to: FullStorage): Promise<string | undefined> {
  for await (const { id, name } of stampedNamesOf(to)) {
    if (name !== undefined) continue;
    const [known] = await from.stampedNames.get([id]);
    if (known === undefined) return `that a name of the tag ${id} was removed`;
  }
  return undefined;
}

async function foreignEntry(source: Snapshot, target: Snapshot): Promise<string | undefined> {
  for await (const { day, entries } of target.details()) {
    const known = await scansOfDay(source, day);
    for (const entry of entries) {
      const there = known.get(entry.id);
      const isKnown = knownScans(entry).every(({ at, flags }) => {
        const before = there?.scans.get(at);
        return before !== undefined && joinFlags(before, flags) === before;
      });
      if (there === undefined || entry.count > there.count || !isKnown)
        return `other scans of the tag ${entry.id} on day ${day} since 1970`;
    }
  }
  return undefined;
}

interface KnownEntry {
  readonly count: number;
  /** The flags of the known scans, by their seconds. */
  readonly scans: ReadonlyMap<Timestamp, number>;
}

async function scansOfDay(snapshot: Snapshot, day: Day): Promise<ReadonlyMap<TallyId, KnownEntry>> {
  const known = new Map<TallyId, KnownEntry>();
  for await (const { entries } of snapshot.details(day, day)) {
    for (const entry of entries) {
      const scans = new Map(knownScans(entry).map(({ at, flags }) => [at, flags]));
      known.set(entry.id, { count: entry.count, scans });
    }
  }
  return known;
}

async function foreignCorrection(source: Snapshot, target: Snapshot): Promise<string | undefined> {
  for await (const correction of target.corrections(0 as Day, DAY_MAX)) {
    let isKnown = false;
    for await (const each of source.corrections(correction.day, correction.day)) {
      isKnown ||= isSameCorrection(each, correction);
    }
    if (!isKnown) return `another correction, number ${correction.number}`;
  }
  return undefined;
}

async function foreignProvisional(source: Snapshot, target: Snapshot): Promise<string | undefined> {
  const known = new Set<string>();
  for await (const { id, bootId, monotonicMs } of source.provisional()) {
    known.add(canonical([id, bootId, monotonicMs]));
  }
  for await (const { id, bootId, monotonicMs, sequence } of target.provisional()) {
    if (!known.has(canonical([id, bootId, monotonicMs])))
      return `another provisional scan, number ${sequence}`;
  }
  return undefined;
}

async function foreignAccess(
  { access: from }: FullStorage,
  { access: to }: FullStorage,
): Promise<string | undefined> {
  const [source, target] = [await from.read(), await to.read()];
  const users = new Set(source.users.map(({ name }) => name));
  const user = target.users.find(({ name }) => !users.has(name));
  if (user !== undefined) return `another user, ${user.name}`;
  const ids = new Set(source.credentials.map(({ id }) => id));
  const credential = target.credentials.find(({ id }) => !ids.has(id));
  return credential && `another ${credential.kind}, ${credential.id}`;
}

async function foreignTrail(from: FullStorage, to: FullStorage): Promise<string | undefined> {
  const end = await to.audit.latest();
  if (end === undefined) return undefined;
  for await (const { number, hash } of auditEntriesOf(from)) {
    if (number === end.number && hash === end.hash) return undefined;
  }
  return `another audit trail, which ends with entry ${end.number}`;
}

async function foreignReceipt(from: FullStorage, to: FullStorage): Promise<string | undefined> {
  for (const { device, run, number } of await to.receipts.list()) {
    if ((await from.receipts.latest(device, run)) < number) return `a later receipt of the device ${device}`;
  }
  return undefined;
}

async function foreignStation(from: FullStorage, to: FullStorage): Promise<string | undefined> {
  const known = new Set((await from.stations.list()).map(({ name }) => name));
  const other = (await to.stations.list()).find(({ name }) => !known.has(name));
  return other && `another station, ${other.name}`;
}

async function foreignErasure(from: FullStorage, to: FullStorage): Promise<string | undefined> {
  const known = new Set((await from.erasures.list()).map(({ digest }) => digest));
  const other = (await to.erasures.list()).find(({ digest }) => !known.has(digest));
  return other && 'another person who was erased';
}

import { createHmac } from 'node:crypto';
import type { Name, TallyId } from '@tallybook/domain';
import type { Correction } from '@tallybook/domain/record';
import { STAMP_MAX_AHEAD_MS } from '@tallybook/domain/sync';
import { correctionKey, momentOf, scanKey } from './holdings.js';
import type { Model } from './model.js';
import { describeName, isSameName } from './name-writes.js';
import type { Storage } from '../places/storage.js';

/** The stored data of all places. */
export interface Scene {
  readonly model: Model;
  readonly tags: readonly TallyId[];
  readonly centre: Storage;
  readonly stations: ReadonlyMap<string, Storage>;
  /** The true time, in seconds since 1970. */
  readonly now: number;
}

/** The problems that are left after the network has healed, for people; empty if all is well. */
export function judge(scene: Scene): readonly string[] {
  // An erasure up to a time in the future was made by a clock that was ahead. A later erasure of the tag may have
  // corrected it.
  const erasedUntil = findErased(scene, Math.min, scene.now);
  return [
    ...judgeScans(scene, erasedUntil),
    ...judgeCorrections(scene, erasedUntil),
    ...judgeNames(scene, erasedUntil),
    ...judgePeople(scene),
    ...judgeRefusals(scene),
    ...judgeWaiting(scene),
  ];
}

/** The time up to which no data of an erased tag may be there. */
type Erased = ReadonlyMap<TallyId, number>;

/**
 * @param pick Chooses between different ends of one erasure: a centre shortens an end that was set by a clock ahead
 * of the time.
 */
function findErased(
  { tags, centre, stations }: Scene,
  pick: (one: number, other: number) => number,
  latest: number = Infinity,
): Erased {
  const found = new Map<TallyId, number>();
  const ends = new Map<string, { readonly id: TallyId; readonly until: number }>();
  for (const { erasures } of [centre, ...stations.values()]) {
    for (const { key, digest, until } of erasures.all) {
      const id = tags.find((each) => digestOf(key, each) === digest);
      if (id === undefined) continue;
      ends.set(`${key} ${digest}`, { id, until: pick(until, ends.get(`${key} ${digest}`)?.until ?? until) });
    }
  }
  for (const { id, until } of ends.values()) {
    if (until <= latest) found.set(id, Math.max(until, found.get(id) ?? 0));
  }
  return found;
}

/** Digests that were computed before: a world is judged often. */
const digests = new Map<string, string>();
const DIGESTS_MAX = 10_000;

function digestOf(key: string, id: TallyId): string {
  const known = digests.get(`${key} ${id}`);
  if (known !== undefined) return known;
  const digest = createHmac('sha256', Buffer.from(key, 'hex')).update(id).digest('hex').slice(0, 32);
  if (digests.size > DIGESTS_MAX) digests.clear();
  digests.set(`${key} ${id}`, digest);
  return digest;
}

function* judgeScans({ model, centre, stations }: Scene, erased: Erased): Generator<string> {
  const places: (readonly [place: string, storage: Storage, expected: ReadonlySet<string>])[] = [
    ['centre', centre, model.expected().scans],
  ];
  for (const [name, storage] of stations) {
    places.push([name, storage, model.places.get(name)?.scans ?? new Set<string>()]);
  }
  for (const [place, storage, expected] of places) {
    const found = new Set<string>();
    for (const [day, tags] of storage.days) {
      if (tags.size === 0) yield `day ${day} of ${place} has nobody`;
      for (const [id, { entry, scans }] of tags) {
        for (const at of scans.keys()) found.add(scanKey(day, id, at));
        const isImported = [...scans.keys()].some((at) => model.isImported(scanKey(day, id, at)));
        // It is unknown which scans an imported entry has counted, so the larger count is used.
        if (!isImported && entry.count !== scans.size)
          yield `${place}: day ${day} of ${id} counts ${entry.count} of ${scans.size} scans`;
      }
    }
    for (const key of found) {
      const { id, at } = momentOf(key);
      if (!model.ever.scans.has(key)) yield `${place}: nobody ever made the scan ${key}`;
      if (at <= (erased.get(id) ?? -1)) yield `${place}: the scan ${key} is there; it was erased`;
    }
    for (const key of expected) {
      const { id, at } = momentOf(key);
      const isErased = model.isErased(id) && (at <= model.erasedEver(id) || model.isAhead(key));
      if (!isErased && !model.isRemoved(key) && !found.has(key)) yield `${place}: the scan ${key} is missing`;
    }
  }
}

function* judgeCorrections(scene: Scene, erased: Erased): Generator<string> {
  const { model, centre, stations } = scene;
  const here = byKey(centre);
  for (const [key, { id, at }] of here) {
    if (!model.ever.corrections.has(key)) yield `centre: nobody ever made the correction ${key}`;
    if (at <= (erased.get(id) ?? -1)) yield `centre: the correction ${key} is there; it was erased`;
  }
  for (const [key, isDecided] of model.expected().corrections) {
    const { id, at } = momentOf(key);
    if (model.isErased(id) && (at <= model.erasedEver(id) || model.isAhead(key))) continue;
    if (model.isRemoved(key)) continue;
    const found = here.get(key);
    if (found === undefined) yield `centre: the correction ${key} is missing`;
    // If the centre has lost a decision, somebody there must decide again: the decision at a station does not count.
    else if (isDecided && found.state === 'pending' && !model.hasForgotten)
      yield `centre: the correction ${key} is not decided`;
  }
  for (const [name, storage] of stations) {
    const there = byKey(storage);
    const refused = findErased({ ...scene, stations: new Map([[name, storage]]) }, Math.max);
    for (const key of new Set([...here.keys(), ...there.keys()])) {
      const [one, other] = [here.get(key), there.get(key)];
      if (mayDiffer(model, key, one, other)) continue;
      // The erasure was made by a clock that was ahead: only the centre shortens its end.
      if (other === undefined && momentOf(key).at <= (refused.get(momentOf(key).id) ?? -1)) continue;
      if (contentOf(one) !== contentOf(other)) {
        yield `${name}: the correction ${key} is ${contentOf(other)}, but ${contentOf(one)} at the centre`;
      }
    }
  }
}

/** Whether a correction may differ at a station, because it is unknown which one is right. */
function mayDiffer(
  model: Model,
  key: string,
  here: Correction | undefined,
  there: Correction | undefined,
): boolean {
  // An erasure also removes corrections in the future, but the future of a clock that is ahead begins later.
  if (model.isErased(momentOf(key).id) && model.isAhead(key)) return true;
  if (here === undefined) return model.hasForgotten && model.isRemoved(key);
  // An older copy of the centre must decide again: its decision may be another one, or not be made yet.
  return model.hasForgotten && there !== undefined && there.state !== 'pending';
}

function byKey({ corrections }: Storage): ReadonlyMap<string, Correction> {
  return new Map([...corrections.byNumber.values()].map((each) => [correctionKey(each), each]));
}

function contentOf(correction: Correction | undefined): string {
  if (correction === undefined) return 'missing';
  const { state, reason, decision } = correction;
  return JSON.stringify([state, reason, decision]);
}

function* judgeNames(scene: Scene, erased: Erased): Generator<string> {
  const { model, tags, centre, stations } = scene;
  const refused = findErased(scene, Math.max);
  for (const id of tags) {
    const name = centre.names.get(id);
    const stamp = centre.stamps.get(id);
    // The name was given at the centre, and is from before the erasure, which was made by a clock that was ahead: it
    // stays there.
    const isOfCentre = name !== undefined && (stamp?.ms ?? 0) < ((refused.get(id) ?? -1) + 1) * 1_000;
    const until = erased.get(id);
    if (!isOfCentre) yield* compareNames(id, name, { stations, until });
    const first = model.erasedAtMs(id);
    if (name !== undefined && until !== undefined && model.names.isOf(id, name, { beforeMs: first, until })) {
      yield `centre: the name of ${id} is there; it was erased`;
    }
    if (model.isErased(id)) continue;
    const problem = model.names.judge(id, name);
    if (problem !== undefined) yield `centre: the name of ${id} is ${describeName(name)}: ${problem}`;
  }
  for (const { place, id, name, atMs } of model.names.missing((id) => model.isErased(id))) {
    yield `${place}: ${describeName(name)} of ${id}, given at ${atMs / 1000} s, never came to the centre`;
  }
}

/** @param until The end of the erasure of the tag, if it is erased. */
function* compareNames(
  id: TallyId,
  name: Name | undefined,
  { stations, until = Infinity }: Pick<Scene, 'stations'> & { readonly until: number | undefined },
): Generator<string> {
  for (const [place, { names, stamps }] of stations) {
    const other = names.get(id);
    // A name from a clock that is a little ahead looks like a name of the next holder of the tag.
    const isOfNext = name === undefined && (stamps.get(id)?.ms ?? 0) >= (until + 1) * 1_000;
    if (!isSameName(name, other) && !isOfNext) {
      yield `${place}: the name of ${id} is ${describeName(other)}, but ${describeName(name)} at the centre`;
    }
  }
}

function* judgePeople({ model, centre, stations }: Scene): Generator<string> {
  for (const [place, storage] of [['centre', centre] as const, ...stations])
    yield* model.people.judge(place, storage, centre);
}

/** If a tag was erased by a clock that was ahead, its next holder must not be refused for that long. */
function* judgeRefusals({ centre, stations, now }: Scene): Generator<string> {
  for (const [name, { erasures }] of [['centre', centre] as const, ...stations]) {
    for (const { until } of erasures.all) {
      if (until > now + STAMP_MAX_AHEAD_MS / 1_000)
        yield `${name}: a tag is refused for ${until - now} s more`;
    }
  }
}

function* judgeWaiting({ stations }: Scene): Generator<string> {
  for (const [name, { scans }] of stations) {
    const waiting = [...scans.bySequence.values()].filter(({ filing }) => filing?.isRecorded !== true);
    if (waiting.length > 0) yield `${name}: ${waiting.length} scans wait for a clock that is right`;
  }
}

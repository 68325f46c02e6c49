import type { TagAct } from '@tallybook/domain';
import { randomOf, type Random } from '../random.js';

/**
 * Operations of people. Tags, and the scans of a tag, are given by their index in a list. An operation without such a
 * scan does nothing.
 */
export type Operation =
  | { readonly kind: 'tap'; readonly place: string; readonly tag: number }
  /** Without a name, the present name is removed. */
  | { readonly kind: 'name'; readonly place: string; readonly tag: number; readonly name?: string }
  | { readonly kind: 'add'; readonly place: string; readonly tag: number; readonly backSeconds: number }
  | { readonly kind: 'void'; readonly place: string; readonly tag: number; readonly pick: number }
  | { readonly kind: 'decide'; readonly place: string; readonly pick: number; readonly approve: boolean }
  | { readonly kind: 'erase'; readonly place: string; readonly tag: number }
  /** Entries of a backup are merged into a day. */
  | { readonly kind: 'import'; readonly place: string; readonly tag: number; readonly backSeconds: number }
  /** The centre removes a day; after that, stations remove it too. */
  | { readonly kind: 'remove-day'; readonly place: string; readonly backSeconds: number }
  | { readonly kind: 'set-time'; readonly place: string }
  /** The name of a person whom the place knows is corrected. If there is none with this index, one is added. */
  | { readonly kind: 'person'; readonly place: string; readonly name: string; readonly pick: number }
  | { readonly kind: 'erase-person'; readonly place: string; readonly pick: number }
  /** A person is in these groups from today on, and is a guest or a member. */
  | {
      readonly kind: 'groups';
      readonly place: string;
      readonly groups: readonly string[];
      readonly isGuest: boolean;
      readonly pick: number;
    }
  /** Two groups become one. */
  | { readonly kind: 'merge-groups'; readonly place: string; readonly group: string; readonly into: string }
  /** Something happens to a tag that persons get. Its index follows those of the other tags. */
  | {
      readonly kind: 'act';
      readonly place: string;
      readonly tag: number;
      readonly act: TagAct['act'];
      readonly pick: number;
    };

/** Faults. `place` is a station, or a server of the centre. */
export type Fault =
  /** The program ends: at once, or at its next write, before or after the write has happened. */
  | {
      readonly kind: 'crash';
      readonly place: string;
      readonly moment: 'now' | 'before' | 'after';
      readonly downMs: number;
      readonly isReboot: boolean;
    }
  /** No message arrives. */
  | { readonly kind: 'partition'; readonly place: string; readonly forMs: number }
  /** A share of messages is lost; others come twice, come late, or are cut. */
  | { readonly kind: 'weather'; readonly place: string; readonly forMs: number; readonly bad: number }
  | { readonly kind: 'disk'; readonly place: string; readonly forMs: number; readonly failing: number }
  | {
      readonly kind: 'clock';
      readonly place: string;
      readonly aheadSeconds: number;
      readonly isSynchronised?: boolean;
    }
  /** All stored data of a machine is copied. */
  | { readonly kind: 'backup'; readonly place: string }
  /** The data of a machine is replaced by its copy: unchanged, so that cursors are used again, or with a new journal. */
  | { readonly kind: 'restore'; readonly place: string; readonly hasNewOrigin: boolean }
  /** The journal keeps only the latest changes, `keeps` of them. */
  | { readonly kind: 'forget'; readonly place: string; readonly keeps: number };

/** An operation or a fault with its time, in milliseconds since the world began. */
export type Step = { readonly atMs: number } & (Operation | Fault);

/** All operations and faults of a simulated world. */
export interface Plan {
  readonly seed: number;
  readonly stations: number;
  readonly centres: number;
  readonly tags: number;
  /** Whether a second person must decide on corrections. */
  readonly needsApproval: boolean;
  /** Ascending by time. */
  readonly steps: readonly Step[];
  /** The end of all faults. */
  readonly healsAtMs: number;
}

const ACTS = [
  'give',
  'give',
  'give',
  'give',
  'lost',
  'lost',
  'returned',
  'found',
  'all-along',
  'undo',
] as const;
const GROUPS = ['1st squad', 'Board', 'Youth'];
/** Number of tags that persons get, besides the other ones. */
export const HELD_TAGS = 2;
const PERSONS = 4;

/** The machine of the centre: all of its servers share it. */
export const CENTRE = 'centre';
const MINUTE = 60_000;
const YEAR_SECONDS = 31_557_600;

export function stationName(index: number): string {
  return `station-${index}`;
}

export function serverName(index: number): string {
  return `${CENTRE}-${index}`;
}

/** Makes the plan of the world of a seed. */
export function makePlan(seed: number): Plan {
  const random = randomOf(seed, 'plan');
  const stations = random.chance(0.8)
    ? random.between(3, 5)
    : random.chance(0.9)
      ? random.between(6, 12)
      : random.between(13, 50);
  const centres = random.between(1, 3);
  const tags = random.between(2, 6);
  const healsAtMs = random.between(5, 30) * MINUTE;
  const size = { stations, centres, tags, healsAtMs };
  // Most worlds have most kinds of faults. Some have only a few kinds, and then all else must be right to the second.
  const kinds = faultMakers.filter(() => random.chance(0.6));
  const steps: Step[] = [];
  const operations = random.between(10, 25) + stations * 3;
  for (let number = 0; number < operations; number++) {
    const atMs = random.between(0, healsAtMs);
    const operation = makeOperation(random, size, number);
    steps.push({ atMs, ...operation });
    // Another person does something with the same tag before the first change can arrive there.
    if (!('tag' in operation) || !random.chance(0.3)) continue;
    const soonMs = Math.min(healsAtMs, atMs + random.between(0, random.pick([2_000, 20_000, 120_000])));
    const answer = makeOperation(random, size, operations + number);
    if ('tag' in answer) steps.push({ ...answer, tag: operation.tag, atMs: soonMs });
  }
  const faults = kinds.length === 0 ? 0 : random.between(2, 8 + stations);
  for (let number = 0; number < faults; number++) {
    const atMs = random.between(0, healsAtMs);
    const fault = random.pick(kinds)(random, size);
    steps.push({ atMs, ...fault });
    // A copy is useful only if it is restored.
    if (fault.kind === 'backup') {
      const { place } = fault;
      const hasNewOrigin = place === CENTRE || random.chance(0.5);
      steps.push({ atMs: random.between(atMs, healsAtMs), kind: 'restore', place, hasNewOrigin });
    }
  }
  if (random.chance(0.3)) steps.push(...makeQuarrel(random, size));
  // With random numbers of its own, so that all other worlds stay unchanged.
  const overtaking = randomOf(seed, 'overtaking');
  if (overtaking.chance(0.2)) steps.push(...makeOvertaking(overtaking, size));
  const people = randomOf(seed, 'people');
  if (people.chance(0.6)) steps.push(...makePeople(people, size));
  const groups = randomOf(seed, 'groups');
  if (groups.chance(0.4)) steps.push(...makeGroups(groups, size));
  const needsApproval = random.chance(0.5);
  steps.sort((a, b) => a.atMs - b.atMs);
  return { seed, stations, centres, tags, needsApproval, steps, healsAtMs };
}

interface Size {
  readonly stations: number;
  readonly centres: number;
  readonly tags: number;
  readonly healsAtMs: number;
}

function makeOperation(random: Random, size: Size, number: number): Operation {
  const tag = random.between(0, size.tags - 1);
  const place = random.chance(0.8) ? pickStation(random, size) : pickServer(random, size);
  const kind = random.between(1, 100);
  if (kind <= 45) return { kind: 'tap', place: pickStation(random, size), tag };
  if (kind <= 68) return { kind: 'name', place, tag, name: `Name ${number}` };
  if (kind <= 74) return { kind: 'name', place, tag };
  if (kind <= 79) return { kind: 'add', place, tag, backSeconds: random.between(0, 3 * 86_400) };
  if (kind <= 87) return { kind: 'void', place, tag, pick: random.between(0, 9) };
  if (kind <= 92) return { kind: 'decide', place, pick: random.between(0, 9), approve: random.chance(0.7) };
  if (kind <= 95) return { kind: 'erase', place, tag };
  if (kind <= 98) return { kind: 'import', place, tag, backSeconds: random.between(0, 30 * 86_400) };
  if (kind === 99) return { kind: 'set-time', place: pickStation(random, size) };
  return { kind: 'remove-day', place: pickServer(random, size), backSeconds: random.between(0, 3 * 86_400) };
}

/**
 * Two stations name a tag. The clock of one is ahead; the other one gets that name only after it has named the tag
 * too.
 */
function makeQuarrel(random: Random, size: Size): readonly Step[] {
  const tag = random.between(0, size.tags - 1);
  const [wrong, deaf] = [random.between(0, size.stations - 1), random.between(0, size.stations - 1)];
  if (wrong === deaf) return [];
  const atMs = random.between(0, Math.floor(size.healsAtMs / 2));
  const laterMs = random.between(atMs, size.healsAtMs);
  const partition = { kind: 'partition', place: stationName(deaf), forMs: laterMs - atMs + MINUTE } as const;
  return [
    { atMs, kind: 'clock', place: stationName(wrong), aheadSeconds: random.pick([86_400, YEAR_SECONDS]) },
    { atMs, ...partition },
    { atMs: atMs + 1, kind: 'name', place: stationName(wrong), tag, name: 'Ahead' },
    { atMs: laterMs, kind: 'name', place: stationName(deaf), tag, name: 'Deaf' },
  ];
}

/**
 * A station names a tag at an unknown time, then the person of the tag is erased at another place. The name arrives
 * at the centre first.
 */
function makeOvertaking(random: Random, size: Size): readonly Step[] {
  const tag = random.between(0, size.tags - 1);
  const [wrong, late] = [random.between(0, size.stations - 1), random.between(0, size.stations - 1)];
  if (wrong === late) return [];
  const atMs = random.between(0, Math.floor(size.healsAtMs / 2));
  const erasedMs = atMs + random.between(1_000, 60_000);
  const namedMs = erasedMs + random.between(1_000, 60_000);
  const clock = random.chance(0.5)
    ? { aheadSeconds: -1_000, isSynchronised: false }
    : { aheadSeconds: random.pick([86_400, YEAR_SECONDS]) };
  return [
    { atMs, kind: 'clock', place: stationName(wrong), ...clock },
    { atMs, kind: 'partition', place: stationName(wrong), forMs: namedMs - atMs },
    { atMs, kind: 'partition', place: stationName(late), forMs: namedMs - atMs + 2 * MINUTE },
    { atMs: atMs + 1, kind: 'name', place: stationName(wrong), tag, name: 'Overtaking' },
    { atMs: erasedMs, kind: 'erase', place: stationName(late), tag },
  ];
}

/** Persons are added and corrected at all places, and their tags are given, lost, handed on and tapped. */
function makePeople(random: Random, size: Size): readonly Step[] {
  return Array.from({ length: random.between(5, 30) }, (_, number): Step => {
    const atMs = random.between(0, size.healsAtMs);
    const place = random.chance(0.8) ? pickStation(random, size) : pickServer(random, size);
    const tag = size.tags + random.between(0, HELD_TAGS - 1);
    const pick = random.between(0, PERSONS - 1);
    const kind = random.between(1, 100);
    if (kind <= 25) return { atMs, kind: 'tap', place: pickStation(random, size), tag };
    if (kind <= 50) return { atMs, kind: 'person', place, name: `Person ${number}`, pick };
    if (kind > 97) return { atMs, kind: 'erase-person', place, pick };
    const act = random.pick(ACTS);
    return { atMs, kind: 'act', place, tag, act, pick };
  });
}

/** Persons join and leave groups at all places, and some are guests for a time. */
function makeGroups(random: Random, size: Size): readonly Step[] {
  return Array.from({ length: random.between(4, 20) }, (): Step => {
    const atMs = random.between(0, size.healsAtMs);
    const place = random.chance(0.8) ? pickStation(random, size) : pickServer(random, size);
    const pick = random.between(0, PERSONS - 1);
    const [group, into] = [random.pick(GROUPS), random.pick(GROUPS)];
    const kind = random.between(1, 100);
    if (kind <= 25) return { atMs, kind: 'person', place, name: 'Member', pick };
    if (kind > 92 && group !== into) return { atMs, kind: 'merge-groups', place, group, into };
    const groups = GROUPS.filter(() => random.chance(0.4));
    return { atMs, kind: 'groups', place, groups, isGuest: random.chance(0.3), pick };
  });
}

const faultMakers: readonly ((random: Random, size: Size) => Fault)[] = [
  makeCrash,
  makeCrash,
  (random, size) => ({
    kind: 'partition',
    place: pickStation(random, size),
    forMs: random.between(1, size.healsAtMs),
  }),
  (random, size) => ({
    kind: 'weather',
    place: pickStation(random, size),
    forMs: random.between(1, size.healsAtMs),
    bad: random.between(1, 50) / 100,
  }),
  (random, size) => ({
    kind: 'disk',
    place: pickMachine(random, size),
    forMs: random.between(1, 5 * MINUTE),
    failing: random.between(5, 60) / 100,
  }),
  (random, size) => ({ kind: 'clock', place: pickStation(random, size), ...makeClock(random) }),
  (random, size) => ({ kind: 'backup', place: pickMachine(random, size) }),
  (random, size) => ({ kind: 'forget', place: pickMachine(random, size), keeps: random.between(1, 10) }),
];

function makeCrash(random: Random, size: Size): Fault {
  return {
    kind: 'crash',
    place: random.chance(0.7) ? pickStation(random, size) : pickServer(random, size),
    moment: random.pick(['now', 'before', 'after']),
    downMs: random.chance(0.7) ? random.between(1, 30_000) : random.between(1, 10 * MINUTE),
    isReboot: random.chance(0.6),
  };
}

function makeClock(random: Random): { readonly aheadSeconds: number; readonly isSynchronised?: boolean } {
  const kind = random.between(1, 6);
  // The clock waits for a time server, and shows the time at which it was switched off, or 1970.
  if (kind <= 2) return { aheadSeconds: -random.between(1, 3_000), isSynchronised: false };
  if (kind === 3) return { aheadSeconds: -57 * YEAR_SECONDS };
  // Nothing contradicts this clock.
  if (kind === 4) return { aheadSeconds: random.between(1, 250) };
  if (kind === 5) return { aheadSeconds: random.between(400, 86_400) };
  return { aheadSeconds: YEAR_SECONDS };
}

function pickStation(random: Random, { stations }: Size): string {
  return stationName(random.between(0, stations - 1));
}

function pickServer(random: Random, { centres }: Size): string {
  return serverName(random.between(0, centres - 1));
}

/** A station, or the machine of the centre. */
function pickMachine(random: Random, size: Size): string {
  return random.chance(0.75) ? pickStation(random, size) : CENTRE;
}

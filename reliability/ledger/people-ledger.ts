import type { Contents, ShownEntry, ShownPeople, ShownTablePerson } from './contents.js';
import { entriesOf } from './entries.js';
import { nameOf } from './names.js';

/** The prefix of the tags that persons get. The desk taps them between its acts. */
export const HELD = 'E0';
/** The prefix of tags of last resort. */
const RESERVED = 'FF5442';

/** Something that happens to persons and tags. `to` is the number of a person, `lost` or `returned`. */
type Act =
  | { readonly kind: 'person'; readonly number: string; readonly text: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly since: number; readonly to: string }
  | { readonly kind: 'erase'; readonly number: string }
  | { readonly kind: 'tap'; readonly tag: string; readonly at: number; readonly day: number };

interface OpenTap {
  readonly kind: 'open-tap';
  readonly tag: string;
}

/** Persons, what happened to their tags, and when these were tapped: lists without an index. */
interface State {
  /** Names and groups by number, as text. */
  readonly persons: ReadonlyMap<string, string>;
  /** Ascending by `since`. */
  readonly entries: readonly { readonly tag: string; readonly since: number; readonly to: string }[];
  readonly scans: readonly { readonly tag: string; readonly at: number; readonly day: number }[];
}

/** An act, and whether it was acknowledged. The others may have happened or not. */
interface Step {
  readonly act: Act;
  readonly isSure: boolean;
}

/**
 * Persons with a number, their tags, and the taps of these. One writer makes all changes, and waits for each answer. So after a crash
 * everything acknowledged is there, and the last request or tap as a whole or not at all.
 */
export class PeopleLedger {
  /** What was settled, and what came since. */
  #base: State = { persons: new Map(), entries: [], scans: [] };
  #steps: Step[] = [];
  /** What was asked for and not acknowledged yet. */
  #open: Act | OpenTap | undefined;
  /** Tags with a tap before a crash whose second nobody knows: their scans are not judged. */
  readonly #vague = new Set<string>();
  /** Days whose removal was requested. */
  readonly #removing = new Set<number>();
  acknowledged = 0;
  erasures = 0;

  /** Reads a line of the notes; `false` if it is not about persons or their tags. */
  take(verb: string, first: string, second: string, third: string): boolean {
    if (verb === 'person-sent')
      this.#begin({
        kind: 'person',
        number: first,
        text: personText(nameOfPerson(first, Number(second)), third.split('+')),
      });
    else if (verb === 'act-sent') this.#begin({ kind: 'tag', tag: first, since: Number(second), to: third });
    else if (verb === 'person-erasing') this.#begin({ kind: 'erase', number: first });
    else if (['person-kept', 'act-kept', 'person-erased'].includes(verb)) this.#keep();
    else return false;
    return true;
  }

  tapped(tag: string): void {
    this.#begin({ kind: 'open-tap', tag });
  }

  attended(tag: string, day: number, at: number): void {
    this.#open = { kind: 'tap', tag, day, at };
    this.#keep();
  }

  /** A day is about to be removed. */
  removing(day: number): void {
    this.#removing.add(day);
  }

  /** The second of the last act on a tag. */
  lastSince(tag: string): number {
    const acts = this.#steps.flatMap(({ act }) => (act.kind === 'tag' ? [act] : []));
    return Math.max(
      -Infinity,
      ...[...this.#base.entries, ...acts].filter((act) => act.tag === tag).map(({ since }) => since),
    );
  }

  /** The problems with persons and their tags, for people. */
  judge(contents: Contents): readonly string[] {
    return contents.people === undefined ? [] : this.#decide(contents).problems;
  }

  settle(contents: Contents): void {
    if (contents.people !== undefined) this.#base = this.#decide(contents).state;
    this.#steps = [];
    this.#open = undefined;
    this.#vague.clear();
    this.#removing.clear();
  }

  /** Whether acts without an answer have happened is judged by which state is there. */
  #decide(contents: Contents): { readonly state: State; readonly problems: readonly string[] } {
    const open = this.#openIn(contents);
    const steps = open === undefined ? this.#steps : [...this.#steps, { act: open, isSure: false }];
    const ofJournal = [...judgeJournal(contents, steps)];
    let worst: { readonly state: State; readonly problems: readonly string[] } | undefined;
    for (const each of statesAfter(this.#base, steps)) {
      const state = withoutDays(each, this.#removing, contents);
      const problems = [...judgeState(state, contents, this.#vague), ...ofJournal];
      worst ??= { state, problems };
      if (problems.length === 0) return { state, problems };
    }
    return worst ?? { state: this.#base, problems: ofJournal };
  }

  #openIn({ days }: Contents): Act | undefined {
    const open = this.#open;
    if (open?.kind !== 'open-tap') return open;
    const taps = [
      ...this.#base.scans,
      ...this.#steps.flatMap(({ act }) => (act.kind === 'tap' ? [act] : [])),
    ];
    const sure = Math.max(0, ...taps.filter(({ tag }) => tag === open.tag).map(({ at }) => at));
    for (const [day, entries] of days) {
      const at = entries.find(({ id }) => id === open.tag)?.last ?? 0;
      if (at > sure) return { kind: 'tap', tag: open.tag, day, at };
    }
    return undefined;
  }

  /** If something is open yet, a crash came before its answer. */
  #begin(act: Act | OpenTap): void {
    if (this.#open?.kind === 'open-tap') this.#vague.add(this.#open.tag);
    else if (this.#open !== undefined) this.#steps.push({ act: this.#open, isSure: false });
    this.#open = act;
  }

  #keep(): void {
    const act = this.#open;
    this.#open = undefined;
    if (act === undefined || act.kind === 'open-tap') return;
    this.#steps.push({ act, isSure: true });
    if (act.kind === 'erase') this.erasures++;
    if (act.kind !== 'tap') this.acknowledged++;
  }
}

/** All states that there may be, that without the acts in doubt first. */
function* statesAfter(base: State, steps: readonly Step[], from = 0): Generator<State> {
  let state = base;
  for (const [index, { act, isSure }] of steps.entries()) {
    if (index < from) continue;
    if (!isSure) yield* statesAfter(state, steps, index + 1);
    state = after(state, act);
  }
  yield state;
}

/** An erasure takes changes out of the journal. */
function* judgeJournal({ journal }: Contents, steps: readonly Step[]): Generator<string> {
  if (journal === undefined || steps.some(({ act }) => act.kind === 'erase')) return;
  const told = entriesOf(journal.entries, 'tag').filter(({ cursor }) => cursor > journal.after);
  for (const tag of new Set(steps.flatMap(({ act }) => (act.kind === 'tag' ? [act.tag] : [])))) {
    const acts = steps.filter(({ act }) => act.kind === 'tag' && act.tag === tag);
    const sure = acts.filter(({ isSure }) => isSure).length;
    const count = told.filter(({ change }) => change.id === tag).length;
    if (count < sure || count > acts.length)
      yield `the journal has ${count} changes of the holders of ${tag}, of which ${sure} were acknowledged`;
  }
}

/** Whether a tag is that of a person, or of last resort: other ledgers leave it out. */
export function isHeld(id: string): boolean {
  return id.startsWith(HELD) || id.startsWith(RESERVED);
}

/** Contents without persons and their tags. */
export function withoutPeople(contents: Contents): Contents {
  const { mapping, days, provisional, journal } = contents;
  const others = [...days].map(
    ([day, entries]) => [day, entries.filter(({ id }) => !isHeld(id)), entries.length] as const,
  );
  return {
    ...contents,
    mapping: new Map([...mapping].filter(([id]) => !isHeld(id))),
    days: new Map(others.flatMap(([day, left, all]) => (left.length > 0 || all === 0 ? [[day, left]] : []))),
    provisional: provisional.filter(({ id }) => !isHeld(id)),
    ...(journal && { journal: { ...journal, entries: journal.entries.filter(isOfOthers) } }),
  };
}

/** Whether a change is not about a person or the tag of one. */
export function isOfOthers({
  change,
}: {
  readonly change: { readonly kind: string; readonly id?: string };
}): boolean {
  return (
    change.kind !== 'person' && change.kind !== 'group' && !(change.id !== undefined && isHeld(change.id))
  );
}

/** The name of a person. Every second one has a namesake, with another number. */
export function nameOfPerson(
  number: string,
  version: number,
): { readonly first: string; readonly last: string } {
  return nameOf(number.slice(0, 2), version);
}

function after({ persons, entries, scans }: State, act: Act): State {
  switch (act.kind) {
    case 'person':
      return { persons: new Map(persons).set(act.number, act.text), entries, scans };
    case 'tag':
      return { persons, scans, entries: [...entries, act] };
    case 'tap':
      return { persons, entries, scans: [...scans, act] };
    case 'erase': {
      const { number } = act;
      const without = entries.map((entry) => (entry.to === number ? { ...entry, to: 'removed' } : entry));
      const isHeldYet = (tag: string): boolean =>
        without.some((entry) => entry.tag === tag && isPerson(entry.to));
      return {
        persons: new Map([...persons].filter(([each]) => each !== number)),
        entries: without.filter(({ tag }) => isHeldYet(tag)),
        scans: scans.filter(({ tag, at }) => holderAt(entries, tag, at) !== number),
      };
    }
  }
}

/** Leaves out what was recorded on days that were removed. */
function withoutDays(state: State, removing: ReadonlySet<number>, { days }: Contents): State {
  return { ...state, scans: state.scans.filter(({ day }) => !removing.has(day) || days.has(day)) };
}

function holderAt(entries: State['entries'], tag: string, at: number): string | undefined {
  const to = entries.findLast((entry) => entry.tag === tag && entry.since <= at)?.to;
  return to !== undefined && isPerson(to) ? to : undefined;
}

function isPerson(to: string): boolean {
  return !['lost', 'returned', 'removed'].includes(to);
}

function* judgeState(state: State, contents: Contents, vague: ReadonlySet<string>): Generator<string> {
  const { persons, entries } = state;
  const scans = state.scans.filter(({ tag }) => !vague.has(tag));
  const { mapping, days, people, table } = contents as Contents & { readonly people: ShownPeople };
  yield* differences('the person', people.persons, persons);
  const tags = [...new Set([...entries, ...scans].map(({ tag }) => tag))];
  const holders = new Map(
    tags.flatMap((tag) => {
      const own = entries.filter((entry) => entry.tag === tag);
      return own.length === 0
        ? []
        : [[tag, own.map(({ since, to }) => `${since} ${to}`).join(', ')] as const];
    }),
  );
  yield* differences('the holder of', people.timelines, holders);
  const names = new Map<string, string>();
  for (const tag of holders.keys()) {
    const number = holderAt(entries, tag, Infinity);
    if (number !== undefined) names.set(tag, nameIn(persons.get(number)));
  }
  const shown = [...mapping]
    .filter(([id]) => id.startsWith(HELD))
    .map(([id, name]) => [id, textOf(name)] as const);
  yield* differences('the name of', new Map(shown), names);
  const last = [...mapping].flatMap(([id, name]) => (id.startsWith(RESERVED) ? [textOf(name)] : [])).sort();
  const named = [...persons.values()].map(nameIn).sort();
  if (last.join() !== named.join()) yield `the names of tags of last resort are ${last.join(', ')}`;
  const recorded = new Map<string, string>();
  for (const [day, all] of days) {
    for (const entry of all)
      if (entry.id.startsWith(HELD) && !vague.has(entry.id))
        recorded.set(`${entry.id} on ${day}`, describe(entry));
  }
  yield* differences(
    'the record of',
    recorded,
    summaries(scans, ({ tag, day }) => `${tag} on ${day}`),
  );
  if (table === undefined || vague.size > 0) return;
  const ofPersons = scans.flatMap((scan) => {
    const number = holderAt(entries, scan.tag, scan.at);
    return number === undefined ? [] : [{ ...scan, number }];
  });
  yield* differences(
    'the table of',
    shownTable(table),
    summaries(ofPersons, ({ number, day }) => `${number} on ${day}`),
  );
}

function summaries<T extends { readonly at: number }>(
  scans: readonly T[],
  keyOf: (scan: T) => string,
): ReadonlyMap<string, string> {
  const found = new Map<string, { first: number; last: number; count: number }>();
  for (const scan of scans) {
    const entry = found.get(keyOf(scan)) ?? { first: scan.at, last: scan.at, count: 0 };
    found.set(keyOf(scan), {
      first: Math.min(entry.first, scan.at),
      last: Math.max(entry.last, scan.at),
      count: entry.count + 1,
    });
  }
  return new Map([...found].map(([key, entry]) => [key, describe(entry)]));
}

function shownTable(table: readonly ShownTablePerson[]): ReadonlyMap<string, string> {
  return new Map(
    table.flatMap(({ number, days }) =>
      Object.entries(days).map(
        ([day, { first, last, scans: count }]) =>
          [`${number} on ${day}`, describe({ first, last, count })] as const,
      ),
    ),
  );
}

function* differences(
  what: string,
  shown: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): Generator<string> {
  for (const key of new Set([...shown.keys(), ...expected.keys()])) {
    const [is, must] = [shown.get(key), expected.get(key)];
    if (is === undefined) yield `${what} ${key} is gone; ${must} was acknowledged`;
    else if (must === undefined) yield `${what} ${key} is ${is}; nothing was acknowledged`;
    else if (is !== must) yield `${what} ${key} is ${is}; ${must} was acknowledged`;
  }
}

export function describe({ first, last, count }: Pick<ShownEntry, 'first' | 'last' | 'count'>): string {
  return `${count} from ${first} to ${last}`;
}

/** A person as text: the name, and the groups of now. */
export function personText(
  name: { readonly first: string; readonly last: string } | undefined,
  groups: readonly string[],
): string {
  return `${name?.first}|${name?.last}|${[...groups].sort().join('+')}`;
}

function nameIn(text = ''): string {
  return text.split('|').slice(0, 2).join('|');
}

function textOf({ first, last }: { readonly first: string; readonly last: string }): string {
  return `${first}|${last}`;
}

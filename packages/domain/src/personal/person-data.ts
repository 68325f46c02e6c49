import { entriesOf } from '../access/audit/audit-chain.js';
import type { AuditStore } from '../access/ports/audit-store.js';
import type { Correction } from '../values/record/correction.js';
import { carriedPages } from '../people/people-pages.js';
import type { CarriedRow } from '../values/people/carried-row.js';
import { implicitPerson, type PersonId } from '../values/people/person.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import { formatDay, type Day } from '../values/day.js';
import { heldPart, recordOf } from './held-traces.js';
import type { ErasedHolding, ErasureStore, Trace } from '../record/ports/erasure-store.js';
import { givenAt } from '../record/values/name-stamp.js';
import { type Stamp } from '../values/stamp.js';
import type { TallyId } from '../values/tally-id.js';
import { formatTimestamp, toTimestamp, type Timestamp } from '../values/timestamp.js';

/*
 * The traces of a tag come in the order of the lists in the file: its name and when it was given, its days, its provisional
 * scans, its corrections, its changes in the journal.
 */

/** A part of the data of a person, in addition to the data in the erasure store. */
export interface PersonSection {
  /** Key in the file. */
  readonly name: string;
  /** Description for the person, in plain words. */
  readonly legend: string;
  /** @param trace The data of the tag that is theirs. */
  readonly read: (id: TallyId, trace: ErasureStore['trace']) => AsyncIterable<object>;
}

export interface PersonDataDependencies {
  readonly erasures: Pick<ErasureStore, 'trace'>;
  /** Absent if the storage knows no persons. */
  readonly people?: PeopleStore;
  readonly sections?: readonly PersonSection[];
}

const legend = {
  id: 'Number of the tag that the person carries. It is read when the tag is held to a reader.',
  madeAt: 'When this file was made.',
  person: 'The person: their name, their number, and the first and last day of their membership.',
  held: 'When the person held the tag. What was recorded at other times is not theirs, and not in this file.',
  name: 'Name that was given to the tag.',
  nameChanged: 'When the name was last given or taken away, and on which device, if devices share names.',
  days: 'Days on which the tag was read: the first and the last time, how often, and the single times, as far as they are known.',
  provisional:
    'Times at which the tag was read while the clock of the device could not be trusted, or whose time is an estimate.',
  corrections:
    'Corrections by hand: times that were added or declared wrong, why, by whom, and the decision of a second person.',
  carried:
    'What a later version of the program has stored about the person: the kind, the last change, and the value.',
  journal:
    'Changes of the record that concern the tag, for programs that follow the record. They are kept for a limited time.',
} as const;

/**
 * All stored data of one tag, as JSON for people and programs (GDPR, Articles 15 and 20). All times are UTC, as ISO 8601
 * writes them.
 *
 * It is read piece by piece, so that only a small part is in memory. Rejects as the store does.
 *
 * @param madeAt The present time; `undefined` if unknown.
 */
export async function* personData(
  id: TallyId,
  madeAt: Timestamp | undefined,
  { erasures, people, sections: others = [] }: PersonDataDependencies,
): AsyncGenerator<string, void, undefined> {
  const implicit = implicitPerson(id);
  const isTheirs = ({ persons, tags }: CarriedRow): boolean =>
    tags.includes(id) || persons.includes(implicit);
  const sections =
    people === undefined
      ? others
      : [...others, { name: 'carried', legend: legend.carried, read: () => carriedOf(people, isTheirs) }];
  const head = `{\n${legendOf(sections)}"id":${JSON.stringify(id)},\n"madeAt":${timeText(madeAt)}`;
  yield* tagData(id, head, { erasures, sections });
  yield '\n';
}

/**
 * All stored data of a person, like {@link personData}: of each of their tags what was recorded while they held it, and what was
 * recorded without a tag.
 *
 * @throws {TallybookError} `PERSON_NOT_FOUND`.
 */
export async function* dataOfPerson(
  person: PersonId,
  madeAt: Timestamp | undefined,
  { erasures, people, sections = [] }: PersonDataDependencies & { readonly people: PeopleStore },
): AsyncGenerator<string, void, undefined> {
  const { person: its, ids, holdings } = await recordOf(people, person, madeAt ?? NEVER);
  const { name, number, from, until } = its;
  const described = {
    ...{ ids, name: name?.value ?? null, number: number?.value ?? null },
    ...{ from: dayText(from?.value), until: dayText(until?.value) },
  };
  const reserved = ids.map((id) => people.lastResortOf(id));
  const tags = [...new Set([...holdings.map(({ id }) => id), ...reserved])];
  yield `{\n${legendOf(sections)}"madeAt":${timeText(madeAt)},\n"person":${JSON.stringify(described)},\n"tags":[`;
  let comma = '';
  for (const id of tags) {
    const held = reserved.includes(id) ? undefined : holdings.filter((each) => each.id === id);
    const spans = held?.map(({ from: first, until: last, isClosed }) => ({
      from: first === 0 ? null : formatTimestamp(first),
      until: isClosed === true ? formatTimestamp(last) : null,
    }));
    const head = `${comma}\n{"id":${JSON.stringify(id)}${spans === undefined ? '' : `,\n"held":${JSON.stringify(spans)}`}`;
    const trace = (tag: TallyId): AsyncIterable<Trace> =>
      held === undefined ? erasures.trace(tag) : heldTraces(erasures.trace(tag), held);
    yield* tagData(id, head, { erasures: { trace }, sections });
    comma = ',';
  }
  const isOfTag = (tag: TallyId, at: Timestamp | undefined): boolean =>
    holdings.some(
      ({ id, from: first, until: last, isClosed }) =>
        id === tag && (at === undefined ? isClosed !== true : first <= at && at <= last),
    );
  const isTheirs = ({ persons, tags: its, stamp }: CarriedRow): boolean =>
    persons.some((id) => ids.includes(id)) || its.some((tag) => isOfTag(tag, givenAt(stamp)));
  yield '\n],\n"carried":[';
  comma = '';
  for await (const item of carriedOf(people, isTheirs)) {
    yield `${comma}\n${JSON.stringify(item)}`;
    comma = ',';
  }
  yield '\n]\n}\n';
}

/** Rows that only a later version knows. Who else is in a row is left out. */
async function* carriedOf(
  people: PeopleStore,
  isTheirs: (row: CarriedRow) => boolean,
): AsyncGenerator<object, void, undefined> {
  for await (const page of carriedPages(people))
    for (const { kind, stamp, value } of page.filter(isTheirs))
      yield { kind, changed: describeStamp(stamp), value };
}

const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

async function* heldTraces(
  traces: AsyncIterable<Trace>,
  holdings: readonly ErasedHolding[],
): AsyncGenerator<Trace, void, undefined> {
  for await (const trace of traces) {
    const part = heldPart(trace, holdings);
    if (part !== undefined) yield part;
  }
}

function legendOf(sections: readonly PersonSection[]): string {
  const words: Record<string, string> = { ...legend };
  for (const section of sections) words[section.name] = section.legend;
  return `"legend":${JSON.stringify(words, undefined, 1)},\n`;
}

function timeText(at: Timestamp | undefined): string {
  return at === undefined ? 'null' : JSON.stringify(formatTimestamp(at));
}

function dayText(day: Day | undefined): string | null {
  return day === undefined ? null : formatDay(day);
}

/**
 * The object of a tag.
 *
 * @param start Its beginning. It is written after the first answer of the store: if the store fails at once, the caller gets an
 * error, and no cut file.
 */
async function* tagData(
  id: TallyId,
  start: string,
  { erasures, sections }: Required<Pick<PersonDataDependencies, 'erasures' | 'sections'>>,
): AsyncGenerator<string, void, undefined> {
  let head = start;
  const lists = ['days', 'provisional', 'corrections', 'journal'] as const;
  let list = -1;
  let isFirst = true;
  let hasName = false;
  for await (const trace of erasures.trace(id)) {
    if (head !== '') yield head;
    head = '';
    if (trace.kind === 'name') {
      const { first, last } = trace.name;
      yield `,\n"name":${JSON.stringify({ first, last })}`;
      hasName = true;
      continue;
    }
    if (trace.kind === 'stamp') {
      yield `${hasName ? '' : ',\n"name":null'},\n"nameChanged":${JSON.stringify(describeStamp(trace.stamp))}`;
      hasName = true;
      continue;
    }
    if (!hasName) yield ',\n"name":null';
    hasName = true;
    const its = lists.indexOf(listOf(trace));
    while (list < its) {
      yield `${list < 0 ? '' : '\n]'},\n"${lists[++list]}":[`;
      isFirst = true;
    }
    yield `${isFirst ? '' : ','}\n${JSON.stringify(describe(trace))}`;
    isFirst = false;
  }
  if (head !== '') yield head;
  if (!hasName) yield ',\n"name":null';
  while (list < lists.length - 1) yield `${list < 0 ? '' : '\n]'},\n"${lists[++list]}":[`;
  yield '\n]';
  for (const { name, read } of sections) {
    yield `,\n${JSON.stringify(name)}:[`;
    let comma = '';
    for await (const item of read(id, (tag) => erasures.trace(tag))) {
      yield `${comma}\n${JSON.stringify(item)}`;
      comma = ',';
    }
    yield '\n]';
  }
  yield '\n}';
}

/**
 * Entries of an audit trail that concern the tag: entries about its corrections, found by their numbers, because they hold no
 * ids of tags; and entries whose details hold the id.
 */
export function auditSection(audit: AuditStore): PersonSection {
  return {
    name: 'audit',
    legend: 'Actions of users of the service that concern the tag.',
    async *read(id, trace) {
      const numbers = await correctionsOf(trace(id));
      for await (const { at, actor, action, details } of entriesOf(audit)) {
        const isOfCorrection = action === 'corrected' || action === 'correction-decided';
        const isOfTag = isOfCorrection && numbers.has(details['number']);
        if (!isOfTag && !Object.values(details).includes(id)) continue;
        yield { at: formatTimestamp(at), actor, action, details };
      }
    },
  };
}

async function correctionsOf(traces: AsyncIterable<Trace>): Promise<ReadonlySet<unknown>> {
  const numbers = new Set<unknown>();
  for await (const trace of traces) {
    if (trace.kind === 'correction') numbers.add(trace.correction.number);
  }
  return numbers;
}

type Listed = Exclude<Trace, { kind: 'name' | 'stamp' }>;

function listOf({ kind }: Listed): 'days' | 'provisional' | 'corrections' | 'journal' {
  if (kind === 'entry') return 'days';
  if (kind === 'correction') return 'corrections';
  return kind === 'change' ? 'journal' : 'provisional';
}

function describe(trace: Listed): object {
  if (trace.kind === 'entry') {
    const { day, entry, scans } = trace;
    const { first, last, count } = entry;
    return {
      day: formatDay(day),
      first: formatTimestamp(first),
      last: formatTimestamp(last),
      count,
      scans: scans.map(formatTimestamp),
    };
  }
  if (trace.kind === 'provisional') {
    const { reader, shown, notBefore, filing } = trace.scan;
    return {
      reader,
      shown: formatTimestamp(shown),
      notBefore: formatTimestamp(notBefore),
      filed: filing === undefined ? null : { day: formatDay(filing.day), at: formatTimestamp(filing.at) },
    };
  }
  if (trace.kind === 'correction') return describeCorrection(trace.correction);
  const { cursor, change } = trace.entry;
  if (change.kind === 'correction') return { cursor, ...change, day: formatDay(change.day) };
  if (change.kind !== 'scan') return { cursor, ...change };
  const { kind, day, at, outcome, reader = null } = change;
  return { cursor, kind, day: formatDay(day), at: formatTimestamp(at), outcome, reader };
}

function describeStamp(stamp: Stamp | undefined): object {
  const at = givenAt(stamp);
  return at === undefined ? { at: null, device: null } : { at: formatTimestamp(at), device: stamp?.node };
}

function describeCorrection(correction: Correction): object {
  const { number, action, day, at, reason, author, madeAt, state, decision } = correction;
  return {
    ...{ number, action, day: formatDay(day), at: formatTimestamp(at), reason, author },
    ...{ madeAt: formatTimestamp(madeAt), state },
    decision: decision === undefined ? null : { ...decision, at: formatTimestamp(decision.at) },
  };
}

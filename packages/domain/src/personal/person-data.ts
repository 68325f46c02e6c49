import { entriesOf } from '../access/audit/audit-chain.js';
import type { AuditStore } from '../access/ports/audit-store.js';
import type { Correction } from '../values/record/correction.js';
import { formatDay } from '../values/day.js';
import type { ErasureStore, Trace } from '../record/ports/erasure-store.js';
import { givenAt } from '../record/values/name-stamp.js';
import { type Stamp } from '../values/stamp.js';
import type { TallyId } from '../values/tally-id.js';
import { formatTimestamp, type Timestamp } from '../values/timestamp.js';

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
  readonly read: (id: TallyId) => AsyncIterable<object>;
}

export interface PersonDataDependencies {
  readonly erasures: Pick<ErasureStore, 'trace'>;
  readonly sections?: readonly PersonSection[];
}

const legend = {
  id: 'Number of the tag that the person carries. It is read when the tag is held to a reader.',
  madeAt: 'When this file was made.',
  name: 'Name that was given to the tag.',
  nameChanged: 'When the name was last given or taken away, and on which device, if devices share names.',
  days: 'Days on which the tag was read: the first and the last time, how often, and the single times, as far as they are known.',
  provisional:
    'Times at which the tag was read while the clock of the device could not be trusted, or whose time is an estimate.',
  corrections:
    'Corrections by hand: times that were added or declared wrong, why, by whom, and the decision of a second person.',
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
  { erasures, sections = [] }: PersonDataDependencies,
): AsyncGenerator<string, void, undefined> {
  const words: Record<string, string> = { ...legend };
  for (const section of sections) words[section.name] = section.legend;
  // The head is written after the first answer of the store: if the store fails at once, the caller gets an error, and
  // no cut file.
  let head = `{\n"legend":${JSON.stringify(words, undefined, 1)},\n`;
  head += `"id":${JSON.stringify(id)},\n"madeAt":${madeAt === undefined ? 'null' : JSON.stringify(formatTimestamp(madeAt))}`;
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
    for await (const item of read(id)) {
      yield `${comma}\n${JSON.stringify(item)}`;
      comma = ',';
    }
    yield '\n]';
  }
  yield '\n}\n';
}

/**
 * Entries of an audit trail that concern the tag: entries about its corrections, found by their numbers, because they hold no
 * ids of tags; and entries whose details hold the id.
 *
 * @param erasures Finds the corrections of the tag. Without it, none is found.
 */
export function auditSection(audit: AuditStore, erasures?: Pick<ErasureStore, 'trace'>): PersonSection {
  return {
    name: 'audit',
    legend: 'Actions of users of the service that concern the tag.',
    async *read(id) {
      const numbers = await correctionsOf(id, erasures);
      for await (const { at, actor, action, details } of entriesOf(audit)) {
        const isOfCorrection = action === 'corrected' || action === 'correction-decided';
        const isOfTag = isOfCorrection && numbers.has(details['number']);
        if (!isOfTag && !Object.values(details).includes(id)) continue;
        yield { at: formatTimestamp(at), actor, action, details };
      }
    },
  };
}

async function correctionsOf(
  id: TallyId,
  erasures: Pick<ErasureStore, 'trace'> | undefined,
): Promise<ReadonlySet<unknown>> {
  const numbers = new Set<unknown>();
  for await (const trace of erasures?.trace(id) ?? []) {
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

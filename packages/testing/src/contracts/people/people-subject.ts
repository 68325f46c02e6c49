import {
  parseGroupId,
  parsePersonId,
  toTimestamp,
  type CarriedKey,
  type Change,
  type Journal,
  type Lifecycle,
  type MappingStore,
  type Name,
  type PeopleRows,
  type PeopleStore,
  type Group,
  type GroupId,
  type Person,
  type PersonId,
  type Stamp,
  type TallyId,
  type Timeline,
  type TimelineEntry,
  type Timestamp,
} from '@tallybook/domain';
import type { StampedNames, StampSource } from '@tallybook/domain/sync';
import { onSubject, type ContractCase, type ContractOptions } from '../../runner.js';
import { FakeSource } from '../names/stamped-subject.js';
import { ada as red, rows, type Written } from '../fixtures.js';
import { readAll } from '../record/journal-subject.js';

/** Persons, and the stores that they share their names with. */
export interface PeopleStores {
  /** With the lifecycle of the storage. */
  readonly people: PeopleStore & Lifecycle;
  readonly mapping: MappingStore;
  readonly journal: Journal;
  /** Left out if the storage has none. */
  readonly stampedNames?: StampedNames;
}

/** Persons under test: open, empty, and not shared with other subjects. */
export interface PeopleSubject extends PeopleStores {
  /** Closes all stores, and opens others over the same data. */
  readonly restart: (source: StampSource) => Promise<PeopleStores>;
  /** Closes what is open and removes the data. */
  readonly cleanup: () => Promise<void>;
}

/** `make` gets the source as an option of the storage. */
export type PeopleStoreContractOptions = ContractOptions<
  (source: StampSource) => Promise<PeopleSubject> | PeopleSubject
>;

type Make = PeopleStoreContractOptions['make'];
type Body = (subject: PeopleSubject, source: FakeSource) => Promise<void>;

/** A case on stores without persons. */
export function onPeople(title: string, body: Body): ContractCase<Make> {
  const source = new FakeSource();
  return onSubject<Make, PeopleSubject>(
    title,
    (make) => make(source),
    async (subject) => {
      source.node = await subject.journal.origin();
      await body(subject, source);
    },
  );
}

export { at, babbage, bob as blue, ada as red, lovelace, rows } from '../fixtures.js';
export const ada: PersonId = parsePersonId('00112233445566');
export const bob: PersonId = parsePersonId('AABBCCDDEEFF00');
/** The person whom the first name of {@link red} made. */
export const redHolder: PersonId = parsePersonId(`tag-${red}`);
export const board: GroupId = parseGroupId('board');
/** Its id is longer in UTF-8, and sorts after others there. */
export const bears: GroupId = parseGroupId('\u{1F43B} baren');
export const BEGINNING: Timestamp = toTimestamp(0);

export function stamp(ms: number, counter = 0, node = 'there'): Stamp {
  return { ms, counter, node };
}

export function person(id: PersonId, fields: Partial<Person> = {}): Person {
  return { id, tags: [], aliases: [], ...fields };
}

export function named(id: PersonId, name: Name, ms = 1): Person {
  return person(id, { name: { value: name, stamp: stamp(ms) } });
}

export function given(since: TimelineEntry['since'], holder: PersonId, ms = 1): TimelineEntry {
  return { since, holder, why: 'given', stamp: stamp(ms) };
}

export function timeline(tag: TallyId, ...entries: readonly TimelineEntry[]): Timeline {
  return { tag, entries };
}

export function group(id: GroupId, label: string, ms = 1): Group {
  return { id, label: { value: label, stamp: stamp(ms) } };
}

/** Writes rows, whatever is there. */
export async function write({ people }: Pick<PeopleStores, 'people'>, written: Written): Promise<void> {
  if (!(await people.write(rows(written), rows({})))) throw new Error('it did not write');
}

/** The rows of these keys, and of no others. */
export function read(
  { people }: Pick<PeopleStores, 'people'>,
  keys: {
    readonly persons?: readonly PersonId[];
    readonly timelines?: readonly TallyId[];
    readonly groups?: readonly GroupId[];
    readonly carried?: readonly CarriedKey[];
    readonly names?: readonly TallyId[];
  },
): Promise<PeopleRows> {
  return people.read(keys);
}

/** The changes in the journal. */
export async function changesOf({ journal }: Pick<PeopleStores, 'journal'>): Promise<readonly Change[]> {
  return (await readAll(journal)).map(({ change }) => change);
}

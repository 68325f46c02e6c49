import type {
  Change,
  Day,
  JournalEntry,
  Name,
  NameService,
  ProvisionalChange,
  ScanChange,
  TallyId,
} from '@tallybook/domain';
import { countNames } from '@tallybook/domain/record';
import {
  formatAttendance,
  formatDay,
  formatNames,
  formatProvisional,
  formatReset,
  formatScan,
} from './event-format.js';
import { formatEventId } from './event-id.js';

/** A change, and the following changes that fit into the same event. */
interface Run {
  readonly changes: [Change, ...Change[]];
  /** Id of the last of these changes. */
  eventId: string;
}

export interface ChangeFormatOptions {
  /** The journal of the changes. */
  readonly origin: string;
  readonly names: Pick<NameService, 'nameOf'>;
  /** Whether the recipients have missed the `msg` of the tap too. */
  readonly isMissed: (change: ScanChange | ProvisionalChange) => boolean;
}

/** Formats those of the changes that concern a day; all of them without a day. */
export type FormatChanges = (day?: Day) => Buffer;

/**
 * Prepares to format changes as events, with the present names of the tags. An unreadable name is left out.
 *
 * Consecutive changes of names are one event. So are consecutive merges into one day, and consecutive corrections of
 * one day.
 */
export async function prepareChanges(
  entries: readonly JournalEntry[],
  { origin, names, isMissed }: ChangeFormatOptions,
): Promise<FormatChanges> {
  const holders = await readNames(entries, names);
  return (day) => {
    const its = day === undefined ? entries : entries.filter(({ change }) => concerns(change, day));
    return Buffer.concat(runsOf(its, origin).flatMap((run) => formatRun(run, holders, isMissed)));
  };
}

/** A change without a day, as of a name, concerns every day. */
function concerns(change: Change, day: Day): boolean {
  return !('day' in change) || change.day === day;
}

async function readNames(
  entries: readonly JournalEntry[],
  names: Pick<NameService, 'nameOf'>,
): Promise<ReadonlyMap<TallyId, Name>> {
  const ids = new Set<TallyId>();
  for (const { change } of entries) {
    if (change.kind === 'scan' || change.kind === 'provisional') ids.add(change.id);
  }
  const holders = new Map<TallyId, Name>();
  const read = async (id: TallyId): Promise<void> => {
    const name = await names.nameOf(id);
    if (name !== undefined) holders.set(id, name);
  };
  await Promise.allSettled([...ids].map(read));
  return holders;
}

function runsOf(entries: readonly JournalEntry[], origin: string): readonly Run[] {
  const runs: Run[] = [];
  for (const { cursor, change } of entries) {
    const eventId = formatEventId(origin, cursor);
    const before = runs.at(-1);
    if (before !== undefined && isOneEvent(before.changes[0], change)) {
      before.changes.push(change);
      before.eventId = eventId;
    } else runs.push({ changes: [change], eventId });
  }
  return runs;
}

function isOneEvent(one: Change, other: Change): boolean {
  if (one.kind === 'name') return other.kind === 'name';
  if (one.kind === 'erased') return other.kind === 'erased';
  if (one.kind === 'correction') return other.kind === 'correction' && one.day === other.day;
  return one.kind === 'day' && other.kind === 'day' && one.day === other.day && one.action === other.action;
}

function formatRun(
  { changes, eventId }: Run,
  holders: ReadonlyMap<TallyId, Name>,
  isMissed: ChangeFormatOptions['isMissed'],
): readonly Buffer[] {
  const [change] = changes;
  switch (change.kind) {
    case 'scan': {
      const attendance = formatAttendance(eventId, change, holders.get(change.id));
      return change.filed === undefined && isMissed(change) ? [formatScan(change), attendance] : [attendance];
    }
    case 'provisional': {
      const attendance = formatProvisional(eventId, change, holders.get(change.id));
      return isMissed(change) ? [formatScan(change), attendance] : [attendance];
    }
    case 'name':
      return [formatNames(eventId, countNames(changes))];
    case 'correction':
    case 'day':
      return [formatDay(eventId, change)];
    case 'erased':
    case 'repaired':
      return [formatReset(eventId, change.kind)];
  }
}

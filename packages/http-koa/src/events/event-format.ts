import type {
  AttendanceEvent,
  Change,
  CorrectionChange,
  Cursor,
  Day,
  DayChange,
  JournalEntry,
  Name,
  MappingStore,
  ProvisionalChange,
  Scan,
  ScanChange,
  TallyId,
} from '@tallybook/domain';
import { countNames, type NameCounts } from '@tallybook/domain/record';

/** The id of the event of a change: the origin of the journal, and the place of the change in it. */
export function formatEventId(origin: string, cursor: Cursor): string {
  return `${origin}-${cursor}`;
}

/** The place in an id; `undefined` if the id is not of this journal. */
export function parseEventId(origin: string, id: string): Cursor | undefined {
  const cursor = Number(id.slice(origin.length + 1));
  return Number.isSafeInteger(cursor) && cursor >= 0 && id === formatEventId(origin, cursor)
    ? cursor
    : undefined;
}

/** Keep-alive between events, so that no proxy ends an idle connection. */
export const KEEP_ALIVE: Buffer = Buffer.from(': keep-alive\n\n');

/**
 * The beginning of a stream: the time after which a client connects again, and the id of the last event before this
 * stream. With that id, a client that loses the stream before its first event misses nothing.
 */
export function formatGreeting(retryMs: number, id: string | undefined): Buffer {
  return Buffer.from(id === undefined ? `retry: ${retryMs}\n\n` : `retry: ${retryMs}\nid: ${id}\n\n`);
}

/** A tag was read. */
export function formatScan({ id }: Pick<Scan, 'id'>): Buffer {
  return formatEvent(undefined, 'msg', id);
}

/** A scan could not be recorded. */
export function formatFailed({ scan, isKept }: Extract<AttendanceEvent, { kind: 'failed' }>): Buffer {
  const { id, reader } = scan;
  return formatJson(undefined, 'failed', { id, reader, isKept });
}

/** A scan was recorded. */
function formatAttendance(eventId: string, change: ScanChange, name: Name | undefined): Buffer {
  const { id, day, at, outcome, reader = null, filed } = change;
  return formatJson(eventId, 'attendance', { id, day, at, outcome, name: holderOf(name), reader, filed });
}

/** A provisional scan was stored. */
function formatProvisional(
  eventId: string,
  { id, reader, sequence }: ProvisionalChange,
  name: Name | undefined,
): Buffer {
  const unknown = { day: null, at: null, outcome: 'provisional' };
  return formatJson(eventId, 'attendance', { id, ...unknown, name: holderOf(name), reader, sequence });
}

/** Names have changed. The event does not contain them: clients read all names again. */
function formatNames(eventId: string, { added, changed, removed }: NameCounts): Buffer {
  return formatJson(eventId, 'names', { added, changed, removed });
}

/** A day was removed, merged with a backup or corrected. Clients read that day again. */
function formatDay(eventId: string, change: DayChange | CorrectionChange): Buffer {
  const { day } = change;
  // A correction uses the event `day`, because clients read the day again in both cases.
  return formatJson(eventId, 'day', { day, change: change.kind === 'day' ? change.action : 'corrected' });
}

type ResetReason = 'unknown' | 'too-old' | 'ahead' | 'repaired' | 'erased';

/**
 * Changes are missing between the previous event and this one, or changes concern all days. Clients read the whole
 * record again.
 */
export function formatReset(eventId: string, reason: ResetReason): Buffer {
  return formatJson(eventId, 'reset', { reason });
}

function holderOf(name: Name | undefined): Name | null {
  return name === undefined ? null : { first: name.first, last: name.last };
}

function formatJson(eventId: string | undefined, event: string, data: object): Buffer {
  return formatEvent(eventId, event, JSON.stringify(data));
}

/** `data` is one line: a TallyId, or the JSON of JSON.stringify. */
function formatEvent(eventId: string | undefined, event: string, data: string): Buffer {
  const id = eventId === undefined ? '' : `id: ${eventId}\n`;
  return Buffer.from(`${id}event: ${event}\ndata: ${data}\n\n`);
}

/** A change, and the following changes that fit into the same event. */
interface Run {
  readonly changes: [Change, ...Change[]];
  /** Id of the last of these changes. */
  eventId: string;
}

interface ChangeFormatOptions {
  /** The journal of the changes. */
  readonly origin: string;
  readonly names: Pick<MappingStore, 'get'>;
  /** Whether the recipients have missed the `msg` of the tap too. */
  readonly isMissed: (change: ScanChange | ProvisionalChange) => boolean;
}

/** Formats those of the changes that concern a day; all of them without a day. */
type FormatChanges = (day?: Day) => Buffer;

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
  names: Pick<MappingStore, 'get'>,
): Promise<ReadonlyMap<TallyId, Name>> {
  const ids = new Set<TallyId>();
  for (const { change } of entries) {
    if (change.kind === 'scan' || change.kind === 'provisional') ids.add(change.id);
  }
  const holders = new Map<TallyId, Name>();
  const read = async (id: TallyId): Promise<void> => {
    const name = await names.get(id);
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
    case 'person':
    case 'tag':
      // The names that follow from them have changes of their own.
      return [];
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

import type {
  AttendanceEvent,
  Change,
  CorrectionChange,
  Cursor,
  Day,
  DayChange,
  GroupId,
  JournalEntry,
  MappingStore,
  PeopleStore,
  ProvisionalChange,
  Scan,
  ScanChange,
  TagHolder,
  TallyId,
  Timestamp,
} from '@tallybook/domain';
import { implicitPerson } from '@tallybook/domain';
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
function formatAttendance(eventId: string, change: ScanChange, holder: TagHolder | undefined): Buffer {
  const { id, day, at, outcome, reader = null, filed } = change;
  const data = { id, day, at, outcome, ...formatHolder(holder), reader, filed };
  return formatJson(eventId, 'attendance', data);
}

/** A provisional scan was stored. */
function formatProvisional(
  eventId: string,
  { id, reader, sequence }: ProvisionalChange,
  holder: TagHolder | undefined,
): Buffer {
  const unknown = { day: null, at: null, outcome: 'provisional' };
  return formatJson(eventId, 'attendance', { id, ...unknown, ...formatHolder(holder), reader, sequence });
}

/** Names have changed. The event does not contain them: clients read all names again. */
function formatNames(eventId: string, { added, changed, removed }: NameCounts): Buffer {
  return formatJson(eventId, 'names', { added, changed, removed });
}

/** Persons, or holders of tags, have changed. Clients read them again. */
function formatPeople(eventId: string, changes: readonly Change[]): Buffer {
  const persons = changes.filter(({ kind }) => kind === 'person').length;
  return formatJson(eventId, 'people', { persons, tags: changes.length - persons });
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

function formatHolder({ person, name, isLost }: TagHolder = {}): object {
  return {
    name: name === undefined ? null : { first: name.first, last: name.last },
    person: person ?? null,
    ...(isLost && { holder: 'lost' }),
  };
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
  readonly people?: Pick<PeopleStore, 'holderAt'> | undefined;
  /** The groups to which recipients are bound, each as {@link EventView.within}. */
  readonly bindings?: readonly (readonly GroupId[])[];
  readonly seenBy?: SeenBy | undefined;
  /** Whether the recipients have missed the `msg` of the tap too. */
  readonly isMissed: (change: ScanChange | ProvisionalChange) => boolean;
}

/** What a recipient may see. */
export interface EventView {
  /** Only the changes of this day. */
  readonly day?: Day;
  /** Only the changes that are about somebody in these groups. */
  readonly within?: readonly GroupId[];
}

/** Those changes that are about somebody in one of these groups on the day of the change. */
type SeenBy = (changes: readonly Change[], within: readonly GroupId[]) => Promise<ReadonlySet<Change>>;

/** Formats those of the changes that a recipient may see; all of them without a view. */
type FormatChanges = (view?: EventView) => Buffer;

/**
 * Prepares to format changes as events, with the holder of each tag at that time. An unreadable holder is left out.
 *
 * Consecutive changes of names are one event, and so are those of persons and holders. So are consecutive merges into one day, and consecutive corrections of
 * one day.
 */
export async function prepareChanges(
  entries: readonly JournalEntry[],
  { origin, isMissed, bindings = [], seenBy, ...stores }: ChangeFormatOptions,
): Promise<FormatChanges> {
  const holders = await readHolders(entries, stores);
  const seen = new Map<string, ReadonlySet<Change>>();
  for (const within of bindings) {
    const changes = entries.map(({ change }) => change);
    // If that cannot be read, they read everything again.
    const its = await seenBy?.(changes, within).catch(() => undefined);
    if (its !== undefined) seen.set(JSON.stringify(within), its);
  }
  return ({ day, within } = {}) => {
    if (within !== undefined) {
      const id = formatBoundId(origin);
      const its = seen.get(JSON.stringify(within));
      if (its === undefined) return formatReset(id, 'unknown');
      const shown = entries.filter(({ change }) => isShown(change, its));
      return Buffer.concat(
        runsOf(shown, origin).flatMap(({ changes }) => formatBoundRun({ changes, eventId: id }, holders)),
      );
    }
    const its = day === undefined ? entries : entries.filter(({ change }) => concerns(change, day));
    return Buffer.concat(runsOf(its, origin).flatMap((run) => formatRun(run, holders, isMissed)));
  };
}

/**
 * The id of all events for somebody who is bound to groups: the place of a change would tell how many changes there were about others.
 * A client that comes back with it gets a `reset`.
 */
export function formatBoundId(origin: string): string {
  return formatEventId(origin, 0);
}

/** Whether somebody who is bound to groups gets an event of a change. */
function isShown(change: Change, seen: ReadonlySet<Change>): boolean {
  switch (change.kind) {
    case 'scan':
    case 'correction':
      return seen.has(change);
    // The day of a provisional scan is not known, and who is in a group has more than a name.
    case 'provisional':
    case 'name':
    case 'carried':
      return false;
    case 'person':
    case 'tag':
    case 'group':
    case 'day':
    case 'erased':
    case 'repaired':
      return true;
  }
}

/** As {@link formatRun}, with the `msg` of each tap, and without numbers of changes. */
function formatBoundRun(run: Run, holders: Holders): readonly Buffer[] {
  return isOfPeople(run.changes[0]) ? [formatPeople(run.eventId, [])] : formatRun(run, holders, () => true);
}

/** A change without a day, as of a name, concerns every day. */
function concerns(change: Change, day: Day): boolean {
  return !('day' in change) || change.day === day;
}

/** A scan whose holder is shown. */
type HeldScan = ScanChange | ProvisionalChange;

/** Of a provisional scan the present holder is read: no entry of a timeline is in the future. */
const NOW = Number.MAX_SAFE_INTEGER as Timestamp;

type Holders = ReadonlyMap<string, TagHolder>;

async function readHolders(
  entries: readonly JournalEntry[],
  { names, people }: Pick<ChangeFormatOptions, 'names' | 'people'>,
): Promise<Holders> {
  const holders = new Map<string, TagHolder>();
  const read = async (scan: HeldScan): Promise<void> => {
    const holder = await (people?.holderAt(scan.id, timeOf(scan)) ?? namedHolder(names, scan.id));
    holders.set(keyOf(scan), holder);
  };
  const scans = new Map<string, HeldScan>();
  for (const { change } of entries)
    if (change.kind === 'scan' || change.kind === 'provisional') scans.set(keyOf(change), change);
  await Promise.allSettled([...scans.values()].map(read));
  return holders;
}

/** Without persons, each tag with a name is a person of its own. */
async function namedHolder(names: ChangeFormatOptions['names'], id: TallyId): Promise<TagHolder> {
  const name = await names.get(id);
  return name === undefined ? {} : { person: implicitPerson(id), name };
}

function timeOf(scan: HeldScan): Timestamp {
  return scan.kind === 'scan' ? scan.at : NOW;
}

function keyOf(scan: HeldScan): string {
  return `${scan.id} ${timeOf(scan)}`;
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
  if (isOfPeople(one)) return isOfPeople(other);
  if (one.kind === 'erased') return other.kind === 'erased';
  if (one.kind === 'correction') return other.kind === 'correction' && one.day === other.day;
  return one.kind === 'day' && other.kind === 'day' && one.day === other.day && one.action === other.action;
}

function isOfPeople({ kind }: Change): boolean {
  return kind === 'person' || kind === 'tag' || kind === 'group';
}

function formatRun(
  { changes, eventId }: Run,
  holders: Holders,
  isMissed: ChangeFormatOptions['isMissed'],
): readonly Buffer[] {
  const [change] = changes;
  switch (change.kind) {
    case 'scan': {
      const attendance = formatAttendance(eventId, change, holders.get(keyOf(change)));
      return change.filed === undefined && isMissed(change) ? [formatScan(change), attendance] : [attendance];
    }
    case 'provisional': {
      const attendance = formatProvisional(eventId, change, holders.get(keyOf(change)));
      return isMissed(change) ? [formatScan(change), attendance] : [attendance];
    }
    case 'person':
    case 'tag':
    case 'group':
      return [formatPeople(eventId, changes)];
    case 'name':
      return [formatNames(eventId, countNames(changes))];
    case 'correction':
    case 'day':
      return [formatDay(eventId, change)];
    case 'erased':
    case 'repaired':
      return [formatReset(eventId, change.kind)];
    // The next event has a later id: nobody misses anything.
    case 'carried':
      return [];
  }
}

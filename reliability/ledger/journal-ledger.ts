import { isDeepStrictEqual } from 'node:util';
import type { Change, Cursor, JournalEntry } from '@tallybook/domain';
import type { Contents, ShownJournal } from './contents.js';
import { entriesOf, type EntryOf } from './entries.js';
import { judgeProvisional } from './judge-provisional.js';
import { versionOf } from './names.js';
import { isOfOthers } from './people-ledger.js';
import { countReversed, type Span } from './steps.js';

/** The record at the last settlement. The entries of its changes are not judged again. */
interface Base {
  /** Entries up to this cursor were judged before. */
  cursor: Cursor;
  /** Provisional scans up to this sequence may have their entries before that cursor. */
  sequence: number;
  /** Number of scans of a tag on a day, by {@link dayOf}. */
  readonly counts: Map<string, number>;
  /** Versions of names by tag. */
  readonly names: Map<string, number>;
}

/**
 * The expected entries of the journal: one for each change of the record and no others, in the order in which the
 * changes were seen. An entry that a follower got before a crash must be there after it, with the same cursor.
 */
export class JournalLedger {
  readonly #base: Base = { cursor: 0, sequence: 0, counts: new Map(), names: new Map() };
  /** By tag and version. */
  readonly #names = new Map<string, Map<number, Span>>();
  /** By tag, day and second. */
  readonly #attended = new Map<string, Span>();
  /** Removals by day. */
  readonly #removals = new Map<number, Span>();
  /** Removed days with corrections. The corrections are removed first, with an entry of their own. */
  readonly #corrected = new Set<number>();
  /** Number of scans that were acknowledged as provisional, by tag. */
  readonly #held = new Map<string, number>();
  readonly #told = new Map<Cursor, Change>();
  #step = 0;

  /** The cursor after which the journal must be read. */
  get after(): Cursor {
    return this.#base.cursor;
  }

  put(id: string, version: number): void {
    this.#versions(id).set(version, { sent: ++this.#step, acknowledged: Infinity });
  }

  answered(id: string, version: number): void {
    const versions = this.#versions(id);
    versions.set(version, { sent: versions.get(version)?.sent ?? 0, acknowledged: ++this.#step });
  }

  attended(id: string, day: number, at: number): void {
    this.#attended.set(scanOf(id, day, at), { sent: 0, acknowledged: ++this.#step });
  }

  /** @param hasCorrections Whether the day may have corrections. */
  removing(day: number, hasCorrections = false): void {
    if (hasCorrections) this.#corrected.add(day);
    this.#removals.set(day, { sent: ++this.#step, acknowledged: Infinity });
  }

  removed(day: number): void {
    const sent = this.#removals.get(day)?.sent ?? 0;
    this.#removals.set(day, { sent, acknowledged: ++this.#step });
  }

  held(id: string): void {
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
  }

  /** @param change As JSON. */
  told(cursor: Cursor, change: string): void {
    this.#told.set(cursor, JSON.parse(change) as Change);
  }

  /**
   * The problems, for people. All begin with `the journal`.
   *
   * @param gone Tags that are erased.
   */
  *judge(contents: Contents, gone: ReadonlySet<string> = new Set()): Generator<string> {
    const { journal } = contents;
    if (journal === undefined) return;
    const entries = journal.entries.filter(({ cursor }) => cursor > this.#base.cursor);
    yield* this.#judgeCursors(journal, entries);
    yield* this.#judgeTold(contents, journal, { entries, gone });
    const [scans, removals] = [entriesOf(entries, 'scan'), entriesOf(entries, 'day')];
    const spans = new Map<Cursor, Span>();
    // No scan waited then, and the filed scans of that day were removed.
    const removedAt = removals.at(-1)?.cursor ?? 0;
    yield* this.#judgeRemovals(contents, removals, spans);
    yield* this.#judgeScans(contents, scans, { spans, gone });
    yield* this.#judgeNames(contents, entriesOf(entries, 'name'), { spans, gone });
    yield* judgeProvisional(
      contents,
      { entries: entriesOf(entries, 'provisional'), scans },
      { announced: withoutTags(this.#held, gone), oldSequence: this.#base.sequence, removedAt },
    );
    yield* judgeReaders(entries);
    const known = entries.flatMap(({ cursor }) => spans.get(cursor) ?? []);
    const reversed = countReversed(known);
    if (reversed > 0) yield `the journal has ${reversed} changes after such as were sent later`;
    if (entries.some(({ change }) => change.kind === 'repaired')) {
      yield 'the journal says that a sound store was repaired';
    }
  }

  /** Makes contents that were found right the new base. No scan may wait for its day. */
  settle({ mapping, days, journal }: Contents): void {
    for (const known of this.#all()) known.clear();
    const { counts, names } = this.#base;
    names.clear();
    for (const [id, name] of mapping) names.set(id, versionOf(id, name) ?? 0);
    counts.clear();
    for (const [day, entries] of days) for (const { id, count } of entries) counts.set(dayOf(id, day), count);
    if (journal === undefined) return;
    this.#base.cursor = journal.latest;
    for (const { change } of journal.entries) {
      if (change.kind === 'provisional') this.#base.sequence = Math.max(this.#base.sequence, change.sequence);
    }
  }

  /** The journal begins here, as in a store that had none before. */
  begin(sequence: number): void {
    for (const [id, versions] of this.#names) this.#base.names.set(id, Math.max(...versions.keys()));
    for (const known of this.#all()) known.clear();
    this.#base.sequence = sequence;
  }

  /** A tag had this number of scans on a day before the journal begins. */
  was(id: string, day: number, count: number): void {
    this.#base.counts.set(dayOf(id, day), count);
  }

  *#judgeCursors({ after, latest }: ShownJournal, entries: readonly JournalEntry[]): Generator<string> {
    if (after > this.#base.cursor)
      yield `the journal was read from ${after} on, and not ${this.#base.cursor}`;
    const isBack = latest < this.#base.cursor;
    if (isBack) yield `the journal went back from ${this.#base.cursor} to ${latest}`;
    let before = this.#base.cursor;
    for (const { cursor } of entries) {
      if (cursor <= before) yield `the journal has ${cursor} after ${before}`;
      before = cursor;
    }
    if (!isBack && before > latest) yield `the journal has ${before}, but the latest is ${latest}`;
  }

  /** Entries that the follower got must be there, and its position must not be after the last of them. */
  *#judgeTold(
    { days }: Contents,
    { position }: ShownJournal,
    { entries, gone }: { readonly entries: readonly JournalEntry[]; readonly gone: ReadonlySet<string> },
  ): Generator<string> {
    const changes = new Map(entries.map(({ cursor, change }) => [cursor, change]));
    let last = this.#base.cursor;
    for (const [cursor, told] of this.#told) {
      last = Math.max(last, cursor);
      if (cursor <= this.#base.cursor || !isOfOthers({ change: told })) continue;
      const change = changes.get(cursor);
      if (change === undefined && (this.#isRemoved(told, days) || isOf(told, gone))) continue;
      if (change === undefined) yield `the journal has lost ${cursor}, which was told`;
      // Compared as JSON, which has no `undefined`.
      else if (!isDeepStrictEqual(JSON.parse(JSON.stringify(change)), told)) {
        yield `the journal has ${JSON.stringify(change)} at ${cursor}, but ${JSON.stringify(told)} was told`;
      }
    }
    if (position !== undefined && position > last) {
      yield `the journal says that the follower got to ${position}, but it was told up to ${last}`;
    }
  }

  *#judgeScans(
    { days }: Contents,
    entries: readonly EntryOf<'scan'>[],
    { spans, gone }: Findings,
  ): Generator<string> {
    const seen = new Set<string>();
    const counts = new Map<string, number>();
    for (const { cursor, change } of entries) {
      const { id, day, at } = change;
      const scan = scanOf(id, day, at);
      if (seen.has(scan)) yield `the journal has the scan ${scan} twice`;
      seen.add(scan);
      counts.set(dayOf(id, day), (counts.get(dayOf(id, day)) ?? 0) + 1);
      const shown = days.get(day)?.find((each) => each.id === id);
      if (shown === undefined || at < shown.first || at > shown.last) {
        yield `the journal has the scan ${scan}, which is not in the record`;
      }
      const span = this.#attended.get(scan);
      if (span !== undefined) spans.set(cursor, span);
    }
    for (const scan of this.#attended.keys()) {
      const [id = '', text] = scan.split(' ');
      const day = Number(text);
      if (gone.has(id)) continue;
      if (this.#removals.has(day) && !days.has(day)) continue;
      if (!seen.has(scan)) yield `the journal has no scan ${scan}, which was announced`;
    }
    for (const [day, shown] of days) {
      for (const { id, count } of shown) {
        const told = counts.get(dayOf(id, day)) ?? 0;
        const more = count - (this.#base.counts.get(dayOf(id, day)) ?? 0);
        if (told !== more) yield `the journal has ${told} scans of ${id} on day ${day}, the record ${more}`;
      }
    }
  }

  *#judgeRemovals(
    { days }: Contents,
    entries: readonly EntryOf<'day'>[],
    spans: Map<Cursor, Span>,
  ): Generator<string> {
    const told = new Map<number, number>();
    for (const { cursor, change } of entries) {
      const { day, action } = change;
      const span = this.#removals.get(day);
      const before = told.get(day) ?? 0;
      const hadCorrections = this.#corrected.has(day);
      // Between the entry for the removal of its corrections and its own entry, a day is still there.
      const isEarly = days.has(day) && !(hadCorrections && before === 0 && span?.acknowledged === Infinity);
      const isExtra = before > (hadCorrections ? 1 : 0);
      if (action !== 'removed' || span === undefined || isEarly || isExtra) {
        yield `the journal says at ${cursor} that day ${day} was ${action}`;
      }
      told.set(day, before + 1);
      if (span !== undefined) spans.set(cursor, span);
    }
    for (const day of this.#removals.keys()) {
      if (!days.has(day) && !told.has(day)) yield `the journal does not say that day ${day} was removed`;
    }
  }

  *#judgeNames(
    { mapping }: Contents,
    entries: readonly EntryOf<'name'>[],
    { spans, gone }: Findings,
  ): Generator<string> {
    const byTag = new Map<string, readonly EntryOf<'name'>[]>();
    for (const entry of entries) {
      byTag.set(entry.change.id, [...(byTag.get(entry.change.id) ?? []), entry]);
    }
    for (const id of new Set([...byTag.keys(), ...this.#names.keys()])) {
      if (gone.has(id)) continue;
      const told = byTag.get(id) ?? [];
      const name = mapping.get(id);
      const shown = name === undefined ? 0 : (versionOf(id, name) ?? 0);
      const before = this.#base.names.get(id) ?? 0;
      // Versions after the shown one were not written. The shown one was written, even if its answer was lost.
      const versions = [...this.#versions(id)]
        .filter(([version]) => version > before && version <= shown)
        .sort(([a], [b]) => a - b);
      const sure = versions.filter(([version, span]) => span.acknowledged < Infinity || version === shown);
      if (told.length < sure.length || told.length > versions.length) {
        yield `the journal has ${told.length} names of ${id}, of which ${sure.length} to ${versions.length} were put`;
      }
      if (told.length === sure.length) {
        sure.forEach(([, span], index) => spans.set(told[index]?.cursor ?? 0, span));
      }
      for (const [index, { change }] of told.entries()) {
        const action = before === 0 && index === 0 ? 'added' : 'replaced';
        if (change.action !== action) yield `the journal says that a name of ${id} was ${change.action}`;
      }
    }
  }

  #isRemoved(change: Change, days: Contents['days']): boolean {
    if (change.kind === 'correction') return this.#removals.has(change.day);
    return change.kind === 'scan' && this.#removals.has(change.day) && !days.has(change.day);
  }

  #all(): readonly { clear(): void }[] {
    return [this.#corrected, this.#names, this.#attended, this.#removals, this.#held, this.#told];
  }

  #versions(id: string): Map<number, Span> {
    const versions = this.#names.get(id) ?? new Map<number, Span>();
    this.#names.set(id, versions);
    return versions;
  }
}

/**
 * Times of sending and of acknowledgement of changes, by the cursors of their entries; and erased tags, which need no
 * entries.
 */
interface Findings {
  readonly spans: Map<Cursor, Span>;
  readonly gone: ReadonlySet<string>;
}

function isOf(change: Change, tags: ReadonlySet<string>): boolean {
  return 'id' in change && tags.has(change.id);
}

function withoutTags<T>(all: ReadonlyMap<string, T>, tags: ReadonlySet<string>): ReadonlyMap<string, T> {
  return new Map([...all].filter(([id]) => !tags.has(id)));
}

/** Each tap is a second later than the one before, so the scans of one reader must come in the order of their times. */
function* judgeReaders(entries: readonly JournalEntry[]): Generator<string> {
  const latest = new Map<string, number>();
  for (const { cursor, change } of entries) {
    if (change.kind !== 'scan' || change.filed !== undefined || change.reader === undefined) continue;
    if (change.at <= (latest.get(change.reader) ?? 0)) {
      yield `the journal has a scan of ${change.reader} at ${cursor}, which is not later than one before`;
    }
    latest.set(change.reader, change.at);
  }
}

function dayOf(id: string, day: number): string {
  return `${id} ${day}`;
}

function scanOf(id: string, day: number, at: number): string {
  return `${id} ${day} ${at}`;
}

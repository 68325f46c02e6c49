import type { AuditNotes } from '../../ports/audit-notes.js';
import { TallybookError } from '../../errors.js';
import { ManagedResource } from '../../lifecycle.js';
import type { Clock } from '../../ports/clock.js';
import type { Cursor, Journal, JournalEntry } from '../../ports/record/journal.js';
import type { StationRecord, StationStore } from '../ports/station-store.js';
import type { FindGuestLimit } from '../../record/guest-limit.js';
import type { Day } from '../../values/day.js';
import {
  SYNC_MAX_ANSWER_LENGTH,
  SYNC_MAX_ITEMS,
  SYNC_MAX_WAIT_MS,
  SYNC_PROTOCOL,
  type DownItem,
  type SyncAnswer,
  type SyncChanges,
  type SyncPosition,
  type SyncSnapshotPart,
} from '../values/sync.js';
import { ChangeWatch, type SyncSignal } from './change-watch.js';
import { allDownItems, downItemsOf } from '../items/down-items.js';
import { mergeBatch } from './merge/merge-batch.js';
import type { MergeDependencies } from './merge/merging.js';
import { parseSyncBatch } from '../items/parse-sync.js';
import { SyncNotes } from '../sync-notes.js';

export interface CentreSyncDependencies extends MergeDependencies {
  /** The journal of the same data as the stores. */
  readonly journal: Journal;
  readonly stations: StationStore;
  readonly clock: Clock;
  /**
   * The first kept day, from `RetentionService.firstKept`; `undefined` if all days are kept, while there is a doubt, or if the
   * stores cannot be read.
   */
  readonly keepFrom?: () => Promise<Day | undefined>;
  /** The limit of guests, from `RetentionService.guestLimit`. */
  readonly guestLimit?: FindGuestLimit;
  /** Notes changes of names and corrections, and erasures, with the name of the station. */
  readonly audit?: AuditNotes;
}

/**
 * The centre's side of synchronisation: merges batches of stations, and sends them names, corrections, erasures and removals of
 * days.
 *
 * Several servers of one record are one centre. Each request may reach another server, so no state of a station is kept in
 * memory between requests. Open it after its stores.
 */
export class CentreSync extends ManagedResource {
  readonly #parts: CentreSyncDependencies;
  readonly #watch: ChangeWatch;

  constructor(parts: CentreSyncDependencies) {
    super();
    this.#parts = parts;
    this.#watch = new ChangeWatch(parts.journal, parts.clock);
  }

  /**
   * Takes all valid items of a station's batch. Resolves when they are durable.
   *
   * @param station Name of the sending principal, 1 to 200 characters.
   * @param value As `JSON.parse` gives it.
   * @throws {TallybookError} Rejects with `INVALID_SYNC` if the value is no batch; with `SYNC_GAP` if changes before
   * the batch are missing: then `details.expected` is the last cursor here; and as the stores do. Then the station
   * sends the batch again.
   */
  push(station: string, value: unknown): Promise<SyncAnswer> {
    return this.run(async () => {
      const { stations, timekeeper, keepFrom, guestLimit, audit } = this.#parts;
      const batch = parseSyncBatch(value);
      const { run, after, through, isRestart = false, items, status } = batch;
      const acknowledged = await stations.progress(station, run);
      if (after > acknowledged && !isRestart) throw gap(run, after, acknowledged);
      const notes = new SyncNotes(audit, `token ${station}`);
      const terms = { acknowledged, keepFrom: await keepFrom?.(), guests: guestLimit?.(), notes };
      const merged = await mergeBatch(items, this.#parts, terms);
      const refused = [...batch.refused, ...merged.refused].sort((a, b) => a.cursor - b.cursor);
      const now = timekeeper.now();
      await stations.acknowledge(station, run, through, { heardAt: now, status, refused });
      return {
        run,
        acknowledged: Math.max(acknowledged, through),
        refused: refused.slice(0, SYNC_MAX_ITEMS),
        superseded: merged.superseded,
        erasures: merged.erasures.slice(0, SYNC_MAX_ITEMS),
        ...(await this.#terms()),
      };
    });
  }

  /**
   * The changes after a place that concern stations. If there are none, it waits for some. Without a place, it resolves with
   * the present place at once.
   *
   * @param waitMs 0 to {@link SYNC_MAX_WAIT_MS}; a longer time is shortened to it.
   * @param options `signal`: ends the waiting when it is aborted.
   * @throws {TallybookError} Rejects with `SYNC_TOO_OLD` if the changes after that place are not known; and as the stores do.
   */
  async changes(
    after: SyncPosition | undefined,
    waitMs: number,
    { signal }: { readonly signal?: SyncSignal } = {},
  ): Promise<SyncChanges> {
    const { journal, clock } = this.#parts;
    const origin = await journal.origin();
    if (after === undefined) {
      const { key: erasureKey } = this.#parts.erasures;
      return { origin, cursor: await journal.latest(), items: [], erasureKey, ...(await this.#terms()) };
    }
    if (after.origin !== origin) throw tooOld('the centre has another journal');
    const until = clock.monotonicMs() + Math.min(waitMs, SYNC_MAX_WAIT_MS);
    let cursor = after.cursor;
    for (;;) {
      const latest = await journal.latest();
      const { entries, items } = await this.#readItems(cursor);
      // The changes after the cursor may have been removed with a day or a person: then the latest cursor is next.
      cursor = entries.at(-1)?.cursor ?? Math.max(cursor, latest);
      const leftMs = until - clock.monotonicMs();
      const isOver = this.status !== 'open' || leftMs <= 0 || signal?.aborted === true;
      if (items.length > 0 || isOver) return { origin, cursor, items, ...(await this.#terms()) };
      if (entries.length === 0) await this.#watch.wait(cursor, leftMs, signal);
    }
  }

  /** All items for stations, and the place after which changes follow. Rejects as the stores do. */
  async *snapshot(): AsyncGenerator<SyncSnapshotPart, void, undefined> {
    const { journal } = this.#parts;
    const origin = await journal.origin();
    // The place is taken before the rest is read: changes in between are sent again.
    yield { kind: 'head', origin, cursor: await journal.latest(), ...(await this.#terms()) };
    let items = 0;
    for await (const item of allDownItems(this.#parts)) {
      items++;
      yield item;
    }
    yield { kind: 'end', items };
  }

  /** The records of the stations, ascending by name. */
  stations(): Promise<readonly StationRecord[]> {
    return this.#parts.stations.list();
  }

  /** Forgets a station: if it connects again, it sends its whole record. Resolves with whether it was known. */
  removeStation(name: string): Promise<boolean> {
    return this.#parts.stations.remove(name);
  }

  protected override onOpen(): Promise<void> {
    return this.#watch.open();
  }

  protected override async onClose(): Promise<void> {
    await this.#watch.close();
  }

  /** The changes after a cursor, as far as their items fit into an answer. */
  async #readItems(
    after: Cursor,
  ): Promise<{ readonly entries: readonly JournalEntry[]; readonly items: readonly DownItem[] }> {
    let entries = await this.#read(after);
    for (;;) {
      const items = await downItemsOf(entries, this.#parts);
      if (entries.length <= 1 || JSON.stringify(items).length <= SYNC_MAX_ANSWER_LENGTH)
        return { entries, items };
      entries = entries.slice(0, entries.length >> 1);
    }
  }

  async #read(after: Cursor): Promise<readonly JournalEntry[]> {
    const page = await this.#parts.journal.read(after, SYNC_MAX_ITEMS);
    if (!page.isKnown) throw tooOld('the journal no longer has them');
    const isRepaired = page.entries.some(({ change }) => change.kind === 'repaired');
    if (isRepaired) throw tooOld('the store of the centre was repaired meanwhile');
    return page.entries;
  }

  async #terms(): Promise<Pick<SyncAnswer, 'protocol' | 'keepFrom' | 'now'>> {
    const keepFrom = await this.#parts.keepFrom?.();
    const now = this.#parts.timekeeper.now();
    return { protocol: SYNC_PROTOCOL, now, ...(keepFrom !== undefined && { keepFrom }) };
  }
}

function gap(run: string, after: Cursor, expected: Cursor): TallybookError {
  return new TallybookError(
    'SYNC_GAP',
    `the batch follows ${after}, but the changes of that run end here at ${expected}`,
    { details: { run, expected } },
  );
}

function tooOld(reason: string): TallybookError {
  return new TallybookError(
    'SYNC_TOO_OLD',
    `the changes since then are no longer known (${reason}): take the snapshot`,
  );
}

import { isTallybookError, TallybookError } from '../../errors.js';
import { Gate } from '../../record/gate.js';
import type { Cursor, Journal, JournalEntry } from '../../ports/record/journal.js';
import type { SyncTransport } from '../ports/sync-transport.js';
import {
  SYNC_MAX_BYTES,
  SYNC_MAX_ITEMS,
  SYNC_PROTOCOL,
  type LeftOut,
  type StationStatus,
  type SyncAnswer,
  type SyncBatch,
  type SyncItem,
  type UpItem,
} from '../values/sync.js';
import { allUpItems, upItemsOf, type UpDependencies } from './up-items.js';

export interface UploadOptions extends UpDependencies {
  readonly journal: Journal;
  readonly transport: SyncTransport;
  /** Random number from 0 up to 1, 1 excluded. */
  readonly random: () => number;
  /** The state of the station when it has sent all changes up to a cursor. */
  readonly statusAt: (through: Cursor) => Promise<StationStatus>;
  /** Called with each answer and the answered items, and awaited before the next batch. All changes up to `through` are sent. */
  readonly onAnswer: (
    answer: SyncAnswer & LeftOut,
    items: readonly SyncItem[],
    through: Cursor,
  ) => Promise<void>;
  /** Called when the centre has lost data: its next data may be older than its last. */
  readonly onLoss: () => void;
  /** Called after a repair of the store, when the whole record was sent, and awaited. */
  readonly onRepair: () => Promise<void>;
}

/** Number of changes in one read when they are sent again. */
const PAGE_SIZE = 256;
const RUN_DIGITS = 12;
/**
 * Maximum length of the items of a batch as JSON, in UTF-16 code units: each has at most three bytes in UTF-8, and the rest of
 * the batch needs some room.
 */
const MAX_LENGTH = Math.floor(SYNC_MAX_BYTES / 3) - 1_024;

/**
 * Sends the changes of a station to its centre, in order, one batch at a time.
 *
 * ```
 * changes -> batches -> push -> SYNC_GAP? -> the missing changes; or the whole record, if the journal no longer has them
 * ```
 */
export class Upload {
  readonly #options: UploadOptions;
  readonly #gate = new Gate(1);
  #isStopped = false;

  constructor(options: UploadOptions) {
    this.#options = options;
  }

  /** Allows sending. */
  start(): void {
    this.#isStopped = false;
  }

  /** Ends sending: calls reject with `UPSTREAM_UNAVAILABLE`. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Sends changes. Resolves with the cursor of the last change when the centre has all of them.
   *
   * @param after The cursor of the change before the first one.
   */
  send(after: Cursor, entries: readonly JournalEntry[]): Promise<Cursor> {
    return this.#gate.run(async () => {
      const last = entries.at(-1)?.cursor ?? after;
      if (hasRepair(entries)) {
        await this.#sendAll(last);
        // The centre may have names and corrections that the repair could not save.
        await this.#options.onRepair();
      } else await this.#sendAfter(after, entries, (batch) => this.#pushWithout(batch));
      return last;
    });
  }

  /** Sends the whole record. The changes after `through` follow. */
  sendAll(through: Cursor): Promise<void> {
    return this.#gate.run(() => this.#sendAll(through));
  }

  /**
   * Reports the state of the station. If the centre does not have all changes up to a cursor, sends the missing ones.
   */
  report(through: Cursor): Promise<void> {
    return this.#gate.run(() => this.#sendAfter(through, [], (batch) => this.#pushWithout(batch)));
  }

  async #sendAfter(
    after: Cursor,
    entries: readonly JournalEntry[],
    push: (batch: SyncBatch) => Promise<void>,
  ): Promise<void> {
    const run = await this.#options.journal.origin();
    let done = after;
    const pushPart = async (items: readonly SyncItem[], through: Cursor): Promise<void> => {
      const before = Math.min(done, (items[0]?.cursor ?? Infinity) - 1);
      await push({ run, after: before, through, items, status: await this.#options.statusAt(through) });
      done = through;
    };
    let part: readonly SyncItem[] | undefined;
    for await (const items of inGroups(upItemsOf(entries, this.#options))) {
      // `through` of each batch is its own last change, or the centre would take the next changes for repeats. A change may have
      // more items than fit into a batch: its first batch already acknowledges it, but this station counts it as sent after its
      // last batch.
      if (part !== undefined) await pushPart(part, part.at(-1)?.cursor ?? after);
      part = items;
    }
    await pushPart(part ?? [], entries.at(-1)?.cursor ?? after);
  }

  /** Pushes a batch, after the missing changes before it. */
  async #pushWithout(batch: SyncBatch): Promise<void> {
    try {
      await this.#push(batch);
    } catch (error) {
      if (!isTallybookError(error, 'SYNC_GAP')) throw error;
      const { expected } = error.details;
      this.#options.onLoss();
      await this.#fill(typeof expected === 'number' ? expected : 0, batch.after);
      await this.#push(batch);
    }
  }

  /** Sends the changes again that the centre does not have. */
  async #fill(from: Cursor, through: Cursor): Promise<void> {
    const { journal } = this.#options;
    // From 0, the centre has nothing at all. Then send the whole record, because the journal may not have all of it.
    let cursor = from > 0 ? from : undefined;
    while (cursor !== undefined && cursor < through) {
      const page = await journal.read(cursor, PAGE_SIZE);
      const entries = page.isKnown ? page.entries.filter((entry) => entry.cursor <= through) : [];
      const last = entries.at(-1)?.cursor;
      if (last === undefined || hasRepair(entries)) break;
      await this.#sendAfter(cursor, entries, (batch) => this.#push(batch));
      cursor = last;
    }
    if (cursor === undefined || cursor < through) await this.#sendAll(through);
  }

  async #sendAll(through: Cursor): Promise<void> {
    const { journal, random } = this.#options;
    const status = await this.#options.statusAt(through);
    const run = `record-${digitsOf(random)}`;
    let after = 0;
    for await (const items of inGroups(numbered(allUpItems(this.#options)))) {
      const until = items.at(-1)?.cursor ?? after;
      await this.#push({ run, after, through: until, items, status }, through);
      after = until;
    }
    const origin = await journal.origin();
    await this.#push({ run: origin, after: through, through, isRestart: true, items: [], status });
  }

  async #push(batch: SyncBatch, through: Cursor = batch.through): Promise<void> {
    if (this.#isStopped) throw new TallybookError('UPSTREAM_UNAVAILABLE', 'the device does not send now');
    const answer = await this.#options.transport.push({ protocol: SYNC_PROTOCOL, ...batch });
    await this.#options.onAnswer(answer, batch.items, through);
  }
}

function hasRepair(entries: readonly JournalEntry[]): boolean {
  return entries.some(({ change }) => change.kind === 'repaired');
}

async function* numbered(items: AsyncIterable<UpItem>): AsyncGenerator<SyncItem, void, undefined> {
  let cursor = 0;
  for await (const item of items) yield { ...item, cursor: ++cursor };
}

function digitsOf(random: () => number): string {
  let digits = '';
  while (digits.length < RUN_DIGITS) digits += Math.floor(random() * 16).toString(16);
  return digits;
}

/** Divides items into groups that each fit into a batch. There is at least one group, which may be empty. */
export async function* inGroups<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[], void, undefined> {
  let group: T[] = [];
  let length = 0;
  let hasGiven = false;
  for await (const item of items) {
    const itsLength = JSON.stringify(item).length + 1;
    if (group.length >= SYNC_MAX_ITEMS || (group.length > 0 && length + itsLength > MAX_LENGTH)) {
      yield group;
      hasGiven = true;
      [group, length] = [[], 0];
    }
    group.push(item);
    length += itsLength;
  }
  if (group.length > 0 || !hasGiven) yield group;
}

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TallybookError } from '@tallybook/domain';
import type { Connection, Connections } from '../connection/connections.js';
import { isConflict, isLost, isServerFailure, toWriteError } from '../connection/postgres-errors.js';
import type { ErasureKnowledge } from './erasure-knowledge.js';
import { FirstAnswers } from './first-answers.js';
import { JournalLimits, type JournalBounds } from './journal-limits.js';
import type { Positions, RidingPosition } from './positions.js';
import type { SiteRow } from './site-row.js';
import { finish, lockSite, selectBatch, upsertPositions } from './statements.js';
import { siteValues } from './site-row.js';
import { Transaction } from './transaction.js';
import { toColumns } from '../rows/change-rows.js';

/**
 * Writes items, all in the order given, and returns what became of each. Items that wait one behind the other for the same
 * function are handed to it together, so it is one for all calls of a kind. It may be called again with the same items.
 */
export interface Batch<I, O> {
  (transaction: Transaction, items: readonly I[]): Promise<readonly O[]>;
  /** Its first reads are sent with the lock, which spares a round trip: it looks at the row of the site only after them. */
  readonly readsFirst?: boolean;
  /**
   * It neither reads nor changes what others of a group do, so its items are written together behind them, wherever they came
   * between. Default: no.
   */
  readonly isApart?: boolean;
}

export interface WriterOptions extends JournalBounds {
  readonly site: string;
  /** For messages. */
  readonly target: string;
  /** How long a write is tried again when the database is away, in milliseconds. */
  readonly retryMs: number;
  /** For transactions. */
  readonly erasures: ErasureKnowledge;
  /** The present time, in seconds since 1970. */
  readonly now: () => number;
}

/** So many rows a transaction changes at most, unless one item alone changes more. */
export const ROWS_MAX = 1_000;
/** So many turns of the event loop those have who were just answered to ask again and join the next group. */
const TURNS_TO_JOIN = 3;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

interface Waiting {
  readonly batch: Batch<unknown, unknown>;
  readonly item: unknown;
  readonly rows: number;
  readonly key: string | undefined;
  /** Not together with others, since together they failed. */
  isAlone: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What a transaction came to: its results are handed out when it is known that it happened. */
interface Outcome {
  readonly results: readonly unknown[];
  readonly row: SiteRow;
  readonly told: number;
  readonly riding: readonly RidingPosition[];
}

/** The connection was lost amid COMMIT, so nobody knows yet whether it happened. */
class LostAnswer extends Error {
  readonly outcome: Outcome;
  readonly number: number;

  constructor(outcome: Outcome, number: number, cause: unknown) {
    super('the answer to COMMIT was lost', { cause });
    this.outcome = outcome;
    this.number = number;
  }
}

/** Items without which the others may succeed. */
class Refused extends Error {
  readonly items: readonly Waiting[];

  constructor(items: readonly Waiting[], cause: unknown) {
    super('some writes of a group failed', { cause });
    this.items = items;
  }
}

/**
 * The writer of one server at a site: those that wait while a transaction is under way become the next one.
 *
 * ```
 * submit -> waiting -> [ BEGIN, lock the site -> batch, batch, … -> journal, number -> COMMIT ] -> acknowledge all
 * ```
 *
 * A conflict, or a connection that was lost before COMMIT: all of it runs again. Lost amid COMMIT: whether the number of the
 * transaction is there tells whether it happened; if so, the results from before COMMIT are handed out.
 */
export class PostgresWriter {
  readonly #connections: Connections;
  readonly #positions: Positions;
  readonly #options: WriterOptions;
  readonly #onCommitted: (row: SiteRow, told: number) => void;
  readonly #limits: JournalLimits;
  readonly #waiting: Waiting[] = [];
  /** Names this writer among those of the site. */
  readonly #name: string = randomBytes(8).toString('hex');
  #number = 0;
  #isRunning = false;
  /** Whether the last group failed since the database was away: then the next one does not wait so long. */
  #isAway = false;
  /** Groups that were rejected, and may have happened all the same. */
  readonly #unanswered: { readonly group: readonly Waiting[]; readonly lost: LostAnswer }[] = [];
  readonly #firstAnswers = new FirstAnswers();

  constructor(
    connections: Connections,
    positions: Positions,
    options: WriterOptions,
    onCommitted: (row: SiteRow, told: number) => void,
  ) {
    this.#connections = connections;
    this.#positions = positions;
    this.#options = options;
    this.#limits = new JournalLimits(options);
    this.#onCommitted = onCommitted;
  }

  /**
   * Writes an item durably, in the order of the calls.
   *
   * @param rows About how many rows the item changes.
   * @param key Who writes with it again, after the answer was lost, gets the one that was right the first time.
   */
  submit<I, O>(batch: Batch<I, O>, item: I, rows = 3, key?: string): Promise<O> {
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({
        batch: batch as Batch<unknown, unknown>,
        item,
        rows,
        key,
        isAlone: false,
        resolve,
        reject,
      });
      if (!this.#isRunning) void this.#run();
    }) as Promise<O>;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Lets the writes that are called at the same time join the group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      await this.#writeGroup(this.#nextGroup());
      // The same for all requests that arrive meanwhile: a transaction costs more than a row in it.
      for (let turn = 0; turn < TURNS_TO_JOIN && this.#waiting.length > 0; turn++) await endOfTurn();
    }
    this.#isRunning = false;
  }

  #nextGroup(): readonly Waiting[] {
    let rows = 0;
    const end = this.#waiting.findIndex((write, index) => {
      rows += write.rows;
      return index > 0 && rows > ROWS_MAX;
    });
    const group = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    const isApart = ({ batch }: Waiting): boolean => batch.isApart === true;
    return [...group.filter((write) => !isApart(write)), ...group.filter(isApart)];
  }

  /** Never rejects: each item of the group resolves or rejects. */
  async #writeGroup(all: readonly Waiting[]): Promise<void> {
    const giveUpAt = performance.now() + (this.#isAway ? 0 : this.#options.retryMs);
    let group = all;
    let doubt: LostAnswer | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; group.length > 0;) {
      try {
        const known = doubt === undefined ? undefined : await this.#resolve(doubt);
        doubt = undefined;
        if (known === undefined) await this.#settleUnanswered();
        this.#acknowledge(group, known ?? (await this.#attempt(group)));
        this.#isAway = false;
        return;
      } catch (error) {
        if (error instanceof Refused) {
          group = refuse(group, error, this.#options.target);
          continue;
        }
        if (error instanceof LostAnswer) doubt = error;
        const cause = error instanceof LostAnswer ? error.cause : error;
        const isAway = isLost(cause);
        if (!(isAway || isConflict(cause)) || performance.now() >= giveUpAt) {
          this.#isAway = isAway;
          if (doubt !== undefined) this.#unanswered.push({ group, lost: doubt });
          for (const { reject } of group) reject(toWriteError(this.#options.target, cause));
          return;
        }
      }
      await delay(pauseMs * (0.5 + Math.random()));
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  #acknowledge(group: readonly Waiting[], { results, row, told, riding }: Outcome): void {
    this.#positions.settle(riding);
    for (const [index, { resolve, key }] of group.entries()) {
      resolve(this.#firstAnswers.takeOr(key, results[index]));
    }
    this.#onCommitted(row, told);
  }

  /** One transaction. Rejects with {@link Refused}, {@link LostAnswer} or the error of the connection. */
  async #attempt(group: readonly Waiting[]): Promise<Outcome> {
    const connection = await this.#connections.take();
    let isReusable = false;
    try {
      const transaction = this.#begin(connection);
      const results = await runAll(transaction, group);
      const { outcome, isWritten } = await this.#commit(connection, transaction, results).catch(
        (error: unknown) => {
          throw isOfAll(error) ? error : new Refused(group, error);
        },
      );
      if (!isWritten) await connection.query('ROLLBACK');
      isReusable = true;
      return outcome;
    } catch (error) {
      isReusable = await isRolledBack(connection, error);
      throw error;
    } finally {
      if (isReusable) connection.release();
      else connection.destroy();
    }
  }

  /** Sends the beginning of a transaction: whoever needs the row waits for {@link Transaction.locked}. */
  #begin(connection: Connection): Transaction {
    const { site, target, erasures } = this.#options;
    const lock = async (): Promise<SiteRow> => {
      const [, [row]] = await Promise.all([
        connection.query('BEGIN'),
        connection.query<SiteRow>(lockSite, [site]),
      ]);
      if (row !== undefined) return row;
      throw new TallybookError('STORE_WRITE_FAILED', `${target} has no such site any more`);
    };
    return new Transaction(site, lock(), connection, erasures);
  }

  async #commit(
    connection: Connection,
    transaction: Transaction,
    results: readonly unknown[],
  ): Promise<{ readonly outcome: Outcome; readonly isWritten: boolean }> {
    if (!transaction.hasChanged) {
      return { outcome: { results, row: transaction.row, told: 0, riding: [] }, isWritten: false };
    }
    const { site, now } = this.#options;
    const at = now();
    const riding = this.#positions.riding();
    await this.#limits.trim(transaction, at);
    const { told, row: before, revision } = transaction;
    const row: SiteRow = {
      ...before,
      revision,
      seq: before.seq + told.length,
      kept: before.kept + told.length,
    };
    const outcome: Outcome = { results, row, told: told.length, riding };
    const number = ++this.#number;
    const changes = told.map((change, index) => ({ seq: before.seq + 1 + index, ...toColumns(change) }));
    const sent: Promise<unknown>[] = [...transaction.sent];
    if (riding.length > 0) {
      const consumers = riding.map(({ consumer }) => consumer);
      sent.push(connection.query(upsertPositions, [site, consumers, riding.map(({ cursor }) => cursor)]));
    }
    sent.push(
      connection.query(finish, [
        site,
        ...siteValues(row),
        this.#name,
        number,
        at,
        changes.map(({ seq }) => seq),
        changes.map(({ kind }) => kind),
        changes.map(({ day }) => day),
        changes.map(({ id }) => id),
        changes.map(({ body }) => body),
      ]),
      // Without waiting for an answer: if one of them fails, this one rolls back.
      connection.commit(),
    );
    const settled = await Promise.allSettled(sent);
    const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    // One that the server refused has rolled the others back, also if the connection was lost after it.
    const failure = failures.find((error) => !isLost(error)) ?? failures[0];
    if (failure === undefined) return { outcome, isWritten: true };
    throw isLost(failure) ? new LostAnswer(outcome, number, failure) : failure;
  }

  /** Finds out what became of groups that were rejected in doubt. Rejects with the error of the connection. */
  async #settleUnanswered(): Promise<void> {
    for (const { group, lost } of [...this.#unanswered]) {
      const known = await this.#resolve(lost).catch((error: unknown) => {
        throw error instanceof LostAnswer ? error.cause : error;
      });
      this.#unanswered.shift();
      for (const [index, { key }] of group.entries()) {
        if (known !== undefined && key !== undefined) this.#firstAnswers.add(key, known.results[index]);
      }
    }
  }

  /** What a transaction came to whose answer was lost; `undefined` if it did not happen. */
  async #resolve({ outcome, number, cause }: LostAnswer): Promise<Outcome | undefined> {
    const { site } = this.#options;
    try {
      const connection = await this.#connections.take();
      try {
        // Behind this lock the lost transaction has ended.
        await this.#begin(connection).locked();
        const [found] = await connection.query<{ batch: number }>(selectBatch, [site, this.#name]);
        return found?.batch === number ? outcome : undefined;
      } finally {
        connection.destroy();
      }
    } catch (error) {
      // Still nobody knows.
      if (isLost(error) || isConflict(error)) throw new LostAnswer(outcome, number, error);
      throw new LostAnswer(outcome, number, cause);
    }
  }
}

/** Runs the items of a group, those of the same kind that follow each other together. */
async function runAll(transaction: Transaction, group: readonly Waiting[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const run of runsOf(group)) {
    const [first] = run;
    if (first === undefined) continue;
    try {
      const items = run.map(({ item }) => item);
      if (first.batch.readsFirst !== true) await transaction.locked();
      results.push(...(await first.batch(transaction, items)));
      // Whoever failed together with others is to be found.
      if (first.isAlone) await Promise.all(transaction.sent);
    } catch (error) {
      // Nobody's fault if the lock failed.
      await transaction.locked();
      throw isOfAll(error) ? error : new Refused(run, error);
    }
  }
  return results;
}

/** Whether an error says nothing about an item. */
function isOfAll(error: unknown): boolean {
  return error instanceof LostAnswer || isLost(error) || isConflict(error) || isServerFailure(error);
}

function runsOf(group: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const runs: Waiting[][] = [];
  for (const write of group) {
    const last = runs.at(-1)?.[0];
    if (last?.batch === write.batch && !last.isAlone && !write.isAlone) {
      runs.at(-1)?.push(write);
    } else {
      runs.push([write]);
    }
  }
  return runs;
}

/** What is left of a group without the items that failed; several that failed together are tried one by one. */
function refuse(group: readonly Waiting[], { items, cause }: Refused, target: string): readonly Waiting[] {
  if (items.some(({ isAlone }) => !isAlone) && items.length > 1) {
    for (const item of items) item.isAlone = true;
    return group;
  }
  for (const { reject } of items) reject(toRefusal(target, cause));
  return group.filter((write) => !items.includes(write));
}

/** A mistake in the program stays what it is. */
function toRefusal(target: string, cause: unknown): unknown {
  return cause instanceof TypeError || cause instanceof RangeError ? cause : toWriteError(target, cause);
}

/** Whether the connection can be used for the next transaction. */
async function isRolledBack(connection: Connection, error: unknown): Promise<boolean> {
  const cause = error instanceof LostAnswer || error instanceof Refused ? error.cause : error;
  if (error instanceof LostAnswer || isLost(cause)) return false;
  try {
    await connection.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

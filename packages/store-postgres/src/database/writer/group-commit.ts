import { randomBytes } from 'node:crypto';
import { TallybookError, type ConsumerPositions, type JournalBounds } from '@tallybook/domain';
import type { Connection, Connections } from '../../connection/connections.js';
import { isConflict, isLost, isServerFailure } from '../../connection/postgres-errors.js';
import { toColumns } from '../../rows/change-rows.js';
import type { ErasureKnowledge } from '../erasure-knowledge.js';
import { siteValues, type SiteRow } from '../site-row.js';
import { finish, lockSite, selectBatch, upsertPositions } from '../statements.js';
import { Transaction } from '../transaction.js';
import { JournalLimits } from './journal-limits.js';
import { LostAnswer, Refused, type Outcome } from './outcome.js';
import { runsOf, type QueuedWrite } from './write-queue.js';

export interface GroupCommitOptions extends JournalBounds {
  readonly site: string;
  /** For messages. */
  readonly target: string;
  /** For transactions. */
  readonly erasures: ErasureKnowledge;
  /** The present time, in seconds since 1970. */
  readonly now: () => number;
}

/**
 * Writes a group in one transaction. If the answer to a COMMIT was lost, finds out whether the transaction happened.
 *
 * ```
 * BEGIN, lock the site -> batch, batch, … -> journal, number -> COMMIT
 * ```
 */
export class GroupCommit {
  readonly #connections: Connections;
  readonly #positions: ConsumerPositions;
  readonly #options: GroupCommitOptions;
  readonly #limits: JournalLimits;
  /** Name of this writer, different from all others of the site. */
  readonly #name: string = randomBytes(8).toString('hex');
  #number = 0;

  constructor(connections: Connections, positions: ConsumerPositions, options: GroupCommitOptions) {
    this.#connections = connections;
    this.#positions = positions;
    this.#options = options;
    this.#limits = new JournalLimits(options);
  }

  /** Writes a group in one transaction. Rejects with {@link Refused}, {@link LostAnswer} or the error of the connection. */
  async write(group: readonly QueuedWrite[]): Promise<Outcome> {
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

  /**
   * The outcome of a transaction whose answer was lost; `undefined` if it did not happen. Rejects with another {@link LostAnswer}
   * while that is unknown.
   */
  async outcomeOf({ outcome, number, cause }: LostAnswer): Promise<Outcome | undefined> {
    const { site } = this.#options;
    try {
      const connection = await this.#connections.take();
      try {
        // When this lock is held, the lost transaction has ended.
        await this.#begin(connection).locked();
        const [found] = await connection.query<{ batch: number }>(selectBatch, [site, this.#name]);
        return found?.batch === number ? outcome : undefined;
      } finally {
        connection.destroy();
      }
    } catch (error) {
      // Still unknown.
      if (isLost(error) || isConflict(error)) throw new LostAnswer(outcome, number, error);
      throw new LostAnswer(outcome, number, cause);
    }
  }

  /** Sends the beginning of a transaction. Callers that need the row await {@link Transaction.locked}. */
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
      return { outcome: { results, row: transaction.row, told: 0, positions: [] }, isWritten: false };
    }
    const { site, now } = this.#options;
    const at = now();
    const positions = this.#positions.unwritten();
    await this.#limits.trim(transaction, at);
    const { told, row: before, revision } = transaction;
    const row: SiteRow = {
      ...before,
      revision,
      seq: before.seq + told.length,
      kept: before.kept + told.length,
    };
    const outcome: Outcome = { results, row, told: told.length, positions };
    const number = ++this.#number;
    const changes = told.map((change, index) => ({ seq: before.seq + 1 + index, ...toColumns(change) }));
    const sent: Promise<unknown>[] = [...transaction.sent];
    if (positions.length > 0) {
      const consumers = positions.map(({ consumer }) => consumer);
      sent.push(connection.query(upsertPositions, [site, consumers, positions.map(({ cursor }) => cursor)]));
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
      // Without waiting for the answers before it: if one of the statements fails, COMMIT rolls back.
      connection.commit(),
    );
    const settled = await Promise.allSettled(sent);
    const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    // A statement that the server refused has rolled the transaction back, even if the connection was lost afterwards.
    const failure = failures.find((error) => !isLost(error)) ?? failures[0];
    if (failure === undefined) return { outcome, isWritten: true };
    throw isLost(failure) ? new LostAnswer(outcome, number, failure) : failure;
  }
}

/** Runs the items of a group. Successive items of the same kind run together. */
async function runAll(transaction: Transaction, group: readonly QueuedWrite[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const run of runsOf(group)) {
    const [first] = run;
    if (first === undefined) continue;
    try {
      const items = run.map(({ item }) => item);
      if (first.batch.readsFirst !== true) await transaction.locked();
      results.push(...(await first.batch(transaction, items)));
      // If several items failed together, each is tried alone, to find the faulty one.
      if (first.isAlone) await Promise.all(transaction.sent);
    } catch (error) {
      // If the lock failed, no item is faulty.
      await transaction.locked();
      throw isOfAll(error) ? error : new Refused(run, error);
    }
  }
  return results;
}

/** Whether an error concerns the whole group and no single item. */
function isOfAll(error: unknown): boolean {
  return error instanceof LostAnswer || isLost(error) || isConflict(error) || isServerFailure(error);
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

import { randomBytes } from 'node:crypto';
import { TallybookError, type JournalBounds } from '@tallybook/domain';
import type { ConsumerPositions } from '@tallybook/domain/record';
import { RolledBack, type Connection, type Connections } from '../../connection/connections.js';
import { isConflict, isLockTimeout, isLost, isServerFailure } from '../../connection/postgres-errors.js';
import { toColumns } from '../../rows/change-rows.js';
import type { ErasureKnowledge } from '../erasure-knowledge.js';
import {
  siteValues,
  finish,
  lockSite,
  selectBatch,
  upsertPositions,
  type SiteRow,
} from '../site-statements.js';
import { Transaction, type LockedRow } from '../transaction.js';
import { GivenNumbers, type LostCommits } from './given-numbers.js';
import { JournalLimits } from './journal-limits.js';
import { LostAnswer, Refused, runsOf, type Outcome, type QueuedWrite } from './write-queue.js';

export interface GroupCommitOptions extends JournalBounds {
  readonly site: string;
  /** For messages. */
  readonly target: string;
  /** For transactions. */
  readonly erasures: ErasureKnowledge;
  /** The present time, in seconds since 1970. */
  readonly now: () => number;
  /** After this time without a write, the row of a writer may be removed. */
  readonly writerSeconds: number;
  readonly onLost: (lost: LostCommits) => void;
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
  readonly numbers: GivenNumbers;
  #number = 0;

  constructor(connections: Connections, positions: ConsumerPositions, options: GroupCommitOptions) {
    this.#connections = connections;
    this.#positions = positions;
    this.#options = options;
    this.#limits = new JournalLimits(options);
    this.numbers = new GivenNumbers({ ...options, writer: this.#name });
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
      if (isWritten) this.numbers.settle(connection.session, outcome.number, outcome.row);
      else await connection.query('ROLLBACK');
      isReusable = true;
      return outcome;
    } catch (error) {
      isReusable = await isRolledBack(connection, error);
      throw error;
    } finally {
      if (isReusable) connection.release();
      else connection.abandon();
    }
  }

  /**
   * The outcome of a transaction whose answer was lost; `undefined` if it did not happen. Rejects with another {@link LostAnswer}
   * while that is unknown.
   */
  async outcomeOf({ outcome, cause }: LostAnswer): Promise<Outcome | undefined> {
    const { site } = this.#options;
    try {
      const connection = await this.#connections.take();
      try {
        // When this lock is held, the lost transaction has ended.
        await this.#begin(connection).locked();
        const [found] = await connection.query<{ batch: number }>(selectBatch, [site, this.#name]);
        if (found?.batch !== outcome.number) return undefined;
        this.numbers.settle(undefined, outcome.number, outcome.row);
        return outcome;
      } finally {
        connection.destroy();
      }
    } catch (error) {
      // Still unknown.
      throw new LostAnswer(outcome, isLost(error) || isConflict(error) ? error : cause);
    }
  }

  /** Sends the beginning of a transaction. Callers that need the row await {@link Transaction.locked}. */
  #begin(connection: Connection): Transaction {
    const { site, target, erasures } = this.#options;
    const lock = async (): Promise<LockedRow> => {
      const [, [row]] = await Promise.all([
        connection.query('BEGIN'),
        connection.query<SiteRow>(lockSite, [site]),
      ]);
      if (row !== undefined) {
        return { ...(await this.numbers.check(connection, row)), revisionRead: row.revision };
      }
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
      const outcome = { number: 0, results, row: transaction.row, told: 0, positions: [] };
      return { outcome, isWritten: false };
    }
    const { site, now } = this.#options;
    const at = now();
    const positions = this.#positions.unwritten();
    await this.#limits.trim(transaction, at);
    const { told, row: before, revision, revisionRead } = transaction;
    const row: SiteRow = {
      ...before,
      revision,
      seq: before.seq + told.length,
      kept: before.kept + told.length,
    };
    const number = ++this.#number;
    const outcome: Outcome = { number, results, row, told: told.length, positions };
    const changes = told.map((change, index) => ({ seq: before.seq + 1 + index, ...toColumns(change) }));
    const sent: Promise<unknown>[] = [...transaction.sent];
    if (positions.length > 0) {
      const consumers = positions.map(({ consumer }) => consumer);
      sent.push(connection.query(upsertPositions, [site, consumers, positions.map(({ cursor }) => cursor)]));
    }
    sent.push(
      connection.query(finish, [
        site,
        revisionRead,
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
    const commit = settled.pop();
    if (commit?.status !== 'rejected') return { outcome, isWritten: true };
    const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    // A statement that the server refused has rolled the transaction back, even if the connection was lost afterwards.
    const refusal = failures.find((error) => !isLost(error));
    if (refusal !== undefined) throw refusal;
    const failure: unknown = failures[0] ?? commit.reason;
    // An error of the COMMIT itself does not say whether it happened: some engines commit on several nodes.
    throw commit.reason instanceof RolledBack ? failure : new LostAnswer(outcome, failure);
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
  // Another host may hold the lock meanwhile, if this one was replaced.
  if (error instanceof LostAnswer || isLost(cause) || isLockTimeout(cause)) return false;
  try {
    await connection.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

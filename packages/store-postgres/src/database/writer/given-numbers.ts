import { randomInt } from 'node:crypto';
import type { Connection } from '../../connection/connections.js';
import type { Session } from '../../connection/session.js';
import { raisedRow, type SiteRow } from '../site-statements.js';

/** Acknowledged writes that the database no longer has. */
export interface LostCommits {
  /** Revision of the site after the last acknowledged write of this server. */
  readonly acknowledged: number;
  /** Revision of the site now. */
  readonly found: number;
}

/** Raised numbers are larger than the next multiple of this. */
const STRETCH = 2 ** 32;
/** Largest random addition to that multiple. Without it, a restored copy would give the numbers of a raise that it does not know. */
const MOST_BEYOND = 2 ** 31;
/** How far the numbers of corrections are raised: more than a server makes before it notices that they are lost. */
const CORRECTIONS_RAISED = [1_000, 100_000] as const;
/** How many processes of the database, and how many gaps, a site remembers. */
const REMEMBERED = 64;

/** $1: site, $2: writer. */
const selectNumbers = `SELECT s.processes, s.gaps,
  (SELECT max(seq) FROM tallybook.change WHERE site = $1) AS newest,
  (SELECT batch FROM tallybook.writer WHERE site = $1 AND writer = $2) AS batch
  FROM tallybook.site s WHERE s.site = $1`;

/** $1: site, $2: processes, $3: gaps. */
const updateNumbers = 'UPDATE tallybook.site SET processes = $2, gaps = $3 WHERE site = $1';

interface NumbersRow {
  readonly processes: readonly string[];
  readonly gaps: readonly (number | string)[];
  /** `null` if there is no change. */
  readonly newest: number | null;
  /** `null` if this server has never written, or the row is lost. */
  readonly batch: number | null;
}

interface GivenNumbersOptions {
  readonly site: string;
  /** Name of this writer. */
  readonly writer: string;
  /** After this time without a write, another server may have removed the row of this writer. */
  readonly writerSeconds: number;
  readonly onLost: (lost: LostCommits) => void;
}

/**
 * No number of a site is given twice, even if the database loses commits: after a failover to a standby that was behind, or when a
 * backup is restored.
 *
 * The first transaction through another process of the database, or one that finds a smaller revision than a server has seen, or
 * a cursor beyond that of the site, raises all numbers. The skipped cursors are a gap: a follower of the journal with such a
 * cursor has seen lost changes.
 */
export class GivenNumbers {
  readonly #options: GivenNumbersOptions;
  /** Connections through which this writer has committed. */
  readonly #known = new WeakSet<Session>();
  #largestSeen = 0;
  #last: { readonly number: number; readonly revision: number; readonly atMs: number } | undefined;

  constructor(options: GivenNumbersOptions) {
    this.#options = options;
  }

  /** The largest revision that this server has seen. */
  get largestSeen(): number {
    return this.#largestSeen;
  }

  see({ revision }: Pick<SiteRow, 'revision'>): void {
    this.#largestSeen = Math.max(this.#largestSeen, revision);
  }

  /** Call it when a transaction has committed. */
  settle(session: Session | undefined, number: number, row: SiteRow): void {
    if (session !== undefined) this.#known.add(session);
    this.#last = { number, revision: row.revision, atMs: performance.now() };
    this.see(row);
  }

  /**
   * Checks the locked row of the site. Resolves with the row, and with whether its numbers were raised: then the transaction must
   * commit.
   */
  async check(
    connection: Connection,
    row: SiteRow,
  ): Promise<{ readonly row: SiteRow; readonly isRaised: boolean }> {
    const isOlder = row.revision < this.#largestSeen;
    if (!isOlder && this.#known.has(connection.session)) return { row, isRaised: false };
    const { site, writer } = this.#options;
    const [found] = await connection.query<NumbersRow>(selectNumbers, [site, writer]);
    if (found === undefined) return { row, isRaised: false };
    this.#reportLost(found, row);
    const { process } = connection.session;
    const isNew = process !== undefined && !found.processes.includes(process);
    // The row was overwritten by an older one, so that each further change would have a cursor that is taken.
    const seq = Math.max(row.seq, found.newest ?? 0);
    const isBehind = isOlder || seq > row.seq;
    if (!isNew && !isBehind) return { row, isRaised: false };
    const isFirst = row.revision === 0 && !isBehind;
    const raised = isFirst ? row : this.#raise({ ...row, seq });
    const processes = isNew ? [...found.processes, process] : found.processes;
    const gaps = isFirst ? found.gaps : [...found.gaps, seq, raised.seq];
    await connection.query(updateNumbers, [site, processes.slice(-REMEMBERED), gaps.slice(-2 * REMEMBERED)]);
    return { row: raised, isRaised: true };
  }

  #raise(row: SiteRow): SiteRow {
    const largest = Math.max(row.revision, row.seq, row.provisionalNumber, this.#largestSeen);
    const to = STRETCH * (Math.floor(largest / STRETCH) + 1) + randomInt(MOST_BEYOND);
    return raisedRow(row, to, row.correctionNumber + randomInt(...CORRECTIONS_RAISED));
  }

  #reportLost({ batch }: NumbersRow, { revision: found }: SiteRow): void {
    if (this.#last === undefined || (batch ?? 0) >= this.#last.number) return;
    const { revision: acknowledged, atMs } = this.#last;
    this.#last = undefined;
    const isRemoved = batch === null && performance.now() - atMs > this.#options.writerSeconds * 1_000;
    if (!isRemoved) this.#options.onLost({ acknowledged, found });
  }
}

/** Where the journal goes on after a cursor that is in a gap; `undefined` if it is in none. */
export function endOfGap(gaps: readonly (number | string)[], cursor: number): number | undefined {
  for (let index = 0; index < gaps.length; index += 2) {
    const next = Number(gaps[index + 1]);
    if (cursor > Number(gaps[index]) && cursor < next) return next;
  }
  return undefined;
}

/** The latest cursor that was given, if nothing was given since the numbers were raised to this one; otherwise this one. */
export function beforeGap(gaps: readonly (number | string)[], cursor: number): number {
  let latest = cursor;
  for (let index = gaps.length - 2; index >= 0 && Number(gaps[index + 1]) === latest; index -= 2) {
    latest = Number(gaps[index]);
  }
  return latest;
}

/** How many cursors were given after one, up to another one. */
export function countGiven(gaps: readonly (number | string)[], after: number, to: number): number {
  let count = Math.max(to - after, 0);
  for (let index = 0; index < gaps.length; index += 2) {
    const start = Math.max(Number(gaps[index]), after);
    count -= Math.max(Math.min(Number(gaps[index + 1]), to) - start, 0);
  }
  return count;
}

/** A connection or a transaction that takes SQL. Numbers of 64 bits come as numbers, `bytea` as a `Buffer`. */
export interface Queryable {
  query<R extends object>(statement: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

/** Rows of one site. */
export interface SiteRows {
  /** The rows that a statement finds. The site is its $1; the values follow. */
  rows<R extends object>(statement: string, ...values: readonly unknown[]): Promise<readonly R[]>;
}

/** What a new connection learned of its server. */
export interface Session {
  /** Settings that are off: a power cut can damage the database then, or lose committed data. */
  readonly unsafe: readonly string[];
  /** Differs after each start of the server; `undefined` if the engine does not tell. */
  readonly process: string | undefined;
  /** `undefined` if the engine does not tell. */
  readonly history: ServerHistory | undefined;
}

/** Which history of the data a server writes. */
interface ServerHistory {
  /** The same for a primary and its standbys. */
  readonly system: string;
  /** Each promotion of a standby begins a larger one. */
  readonly timeline: number;
}

/** The latest timeline of each system, as far as any connection has seen it. */
export class Timelines {
  readonly #latest = new Map<string, number>();

  /** Whether a standby has replaced the server of a connection. Such a server may still take writes, which will be lost. */
  isReplaced({ history }: Session): boolean {
    if (history === undefined) return false;
    const latest = Math.max(history.timeline, this.#latest.get(history.system) ?? 0);
    this.#latest.set(history.system, latest);
    return history.timeline < latest;
  }
}

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

/** Input of one connection, and the expected answers. */
export interface Script {
  /** Written one after another, each in a packet of its own. */
  readonly pieces: readonly Buffer[];
  /** Number of hostile requests, for the figures. */
  readonly hostile: number;
  /** Number of them with credentials. Default: 0. */
  readonly withCredentials?: number;
  /**
   * Expected number of final answers, if all requests are valid HTTP. Otherwise `undefined`: the server may refuse
   * the first one and close.
   */
  readonly answers?: number;
  /** Indexes, from 0, of the answers that must be refusals because the client lacks the permission. */
  readonly refusals?: readonly number[];
  /** Whether the server, by its description, may refuse a request with 503. */
  readonly mayBeBusy?: boolean;
  /**
   * How the connection ends. `wait`: its last request asks the server to close. `close`: directly after the last
   * piece. `reset`: the same, but by a reset. `leave`: as soon as an answer begins, for endless streams.
   */
  readonly end: 'wait' | 'close' | 'reset' | 'leave';
}

/** Bytes as readable text that can be pasted, shortened if there are many. */
export function escapeBytes(bytes: Buffer, mostBytes: number): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, Math.min(mostBytes, bytes.length)));
  // JSON does not escape DEL and bytes from 0x80 on, which terminals do not show.
  const shown = text.replace(/[\x7f-\xff]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  return bytes.length > mostBytes ? `${shown} and ${bytes.length - mostBytes} bytes more` : shown;
}

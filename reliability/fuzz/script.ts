/** What one connection sends, and what has to come back. */
export interface Script {
  /** Written one after another, each in a packet of its own. */
  readonly pieces: readonly Buffer[];
  /** How many requests in it are hostile, for the figures. */
  readonly hostile: number;
  /** How many of them have credentials; none if that is not said. */
  readonly withCredentials?: number;
  /**
   * How many final answers must come, for requests that are sound as HTTP. `undefined` if they are not: the server
   * may refuse the first and close.
   */
  readonly answers?: number;
  /** Which of these answers, from 0, are to somebody who may not do what was asked, so that they must be refusals. */
  readonly refusals?: readonly number[];
  /** Whether the server may refuse it with 503, because its description says so. */
  readonly mayBeBusy?: boolean;
  /**
   * How it ends. `wait`: its last request asks the server to close; `close`: right after the last piece; `reset`: the
   * same, but rudely; `leave`: as soon as an answer begins, for streams that have no end.
   */
  readonly end: 'wait' | 'close' | 'reset' | 'leave';
}

/** Bytes as text that can be read and pasted, shortened if they are many. */
export function escapeBytes(bytes: Buffer, mostBytes: number): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, Math.min(mostBytes, bytes.length)));
  // JSON leaves DEL and the upper half as they are, which terminals do not show.
  const shown = text.replace(/[\x7f-\xff]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  return bytes.length > mostBytes ? `${shown} and ${bytes.length - mostBytes} bytes more` : shown;
}

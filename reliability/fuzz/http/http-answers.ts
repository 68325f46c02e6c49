/** The answers of a server on one connection, parsed as HTTP/1.1. */
export interface HttpAnswers {
  /** Statuses of all answers in order, including interim ones (1xx). */
  readonly statuses: readonly number[];
  /** Why the bytes are no HTTP. */
  readonly problem?: string;
  /** Whether the last answer is incomplete. */
  readonly isCut: boolean;
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-9][0-9]{2}) [\t -~]*$/;
const FIELD_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\t -~\x80-\xff]*)$/;
const HEAD_END = '\r\n\r\n';
/** The shortest prefix that distinguishes an answer from a body: no body of this service begins with it. */
const ANSWER_START = 'HTTP/1.1 ';

/**
 * Parses answers. A body that the header announces may be missing if the next answer or the end follows, as after
 * HEAD: only the server knows which of several broken requests was a HEAD.
 */
export function parseAnswers(bytes: Buffer): HttpAnswers {
  const text = bytes.toString('latin1');
  const statuses: number[] = [];
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf(HEAD_END, at);
    if (end === -1) return { statuses, isCut: true, ...startProblem(text, at) };
    const [statusLine = '', ...fieldLines] = text.slice(at, end).split('\r\n');
    const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? NaN);
    if (Number.isNaN(status))
      return { statuses, isCut: false, problem: `no status line: ${JSON.stringify(statusLine)}` };
    statuses.push(status);
    const fields = new Map<string, string>();
    for (const line of fieldLines) {
      const [, name, value] = FIELD_LINE.exec(line) ?? [];
      if (name === undefined || value === undefined) {
        return { statuses, isCut: false, problem: `no header field: ${JSON.stringify(line)}` };
      }
      fields.set(name.toLowerCase(), value);
    }
    const bodyAt = end + HEAD_END.length;
    const bodyEnd = findBodyEnd(text, bodyAt, status, fields);
    if (bodyEnd === undefined) return { statuses, isCut: true };
    at = bodyEnd;
  }
  return { statuses, isCut: false };
}

function startProblem(text: string, at: number): { readonly problem?: string } {
  const start = text.slice(at, at + ANSWER_START.length);
  return ANSWER_START.startsWith(start) ? {} : { problem: `no answer begins with ${JSON.stringify(start)}` };
}

/** The end of the body; `undefined` if the connection ended earlier. */
function findBodyEnd(
  text: string,
  at: number,
  status: number,
  fields: ReadonlyMap<string, string>,
): number | undefined {
  const isBodiless = status < 200 || status === 204 || status === 304;
  if (isBodiless || at === text.length || text.startsWith(ANSWER_START, at)) return at;
  if (fields.get('transfer-encoding') === 'chunked') return findChunksEnd(text, at);
  const length = fields.get('content-length');
  const end = length === undefined ? text.length : at + Number(length);
  return end <= text.length ? end : undefined;
}

function findChunksEnd(text: string, start: number): number | undefined {
  for (let at = start; ;) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = parseInt(text.slice(at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    // A size that is no number gives NaN, which fails this test too.
    if (!(at <= text.length)) return undefined;
    if (size === 0) return at;
  }
}

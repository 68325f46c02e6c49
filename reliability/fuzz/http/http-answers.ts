/** What a server sent on one connection, taken apart as HTTP/1.1. */
export interface HttpAnswers {
  /** Of all answers in order, interim ones (1xx) too. */
  readonly statuses: readonly number[];
  /** Why it is no HTTP. */
  readonly problem?: string;
  /** Whether the last answer ends before its end. */
  readonly isCut: boolean;
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-9][0-9]{2}) [\t -~]*$/;
const FIELD_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\t -~\x80-\xff]*)$/;
const HEAD_END = '\r\n\r\n';
/** The shortest beginning that tells an answer from a body; no body of this service begins so. */
const ANSWER_START = 'HTTP/1.1 ';

/**
 * Takes answers apart. A body that its header announces may be missing where the next answer or the end follows, as
 * it does after HEAD: which of several broken requests was a HEAD, only the server knows.
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

/** Where the body ends, `undefined` if the connection did before. */
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
    // A size that is no number makes it NaN, which is not within the text either.
    if (!(at <= text.length)) return undefined;
    if (size === 0) return at;
  }
}

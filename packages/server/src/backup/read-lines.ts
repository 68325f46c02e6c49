import { createReadStream } from 'node:fs';
import { TallybookError } from '@tallybook/domain';
import { BACKUP_LINE_MAX_LENGTH } from '@tallybook/domain/record';

const LINE_FEED = 0x0a;
/** UTF-8 needs at most three bytes for one UTF-16 code unit. */
const LINE_MAX_BYTES = BACKUP_LINE_MAX_LENGTH * 3;

/** Reads the lines of a file, as {@link splitLines} does. */
export function readLines(file: string): AsyncGenerator<string, void, undefined> {
  return splitLines(createReadStream(file) as AsyncIterable<Buffer>);
}

/**
 * Splits UTF-8 into lines. Unlike `node:readline`, it ends lines only at LF or CR LF: a name may contain U+2028, which
 * JSON does not escape.
 *
 * @throws {TallybookError} `INVALID_BACKUP` with the number of the line, if a line is not UTF-8 or is too long for a
 * backup.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  const decode = (bytes: Buffer): string => {
    number++;
    try {
      return decoder.decode(bytes).replace(/\r$/, '');
    } catch (cause) {
      throw invalid(number, 'is not UTF-8', cause);
    }
  };

  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let buffer = Buffer.concat([rest, chunk]);
    for (let end = buffer.indexOf(LINE_FEED); end !== -1; end = buffer.indexOf(LINE_FEED)) {
      yield decode(buffer.subarray(0, end));
      buffer = buffer.subarray(end + 1);
    }
    if (buffer.length > LINE_MAX_BYTES) throw invalid(number + 1, `is longer than ${LINE_MAX_BYTES} bytes`);
    rest = buffer;
  }
  if (rest.length > 0) yield decode(rest);
}

function invalid(line: number, reason: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_BACKUP', `line ${line}: ${reason}`, { cause, details: { line } });
}

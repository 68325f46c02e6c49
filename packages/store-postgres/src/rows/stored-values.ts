import { TallybookError, type TallyId } from '@tallybook/domain';

/** A canonical id as `bytea`. */
export function bytesOfId(id: TallyId): Buffer {
  return Buffer.from(id, 'hex');
}

/** A canonical id from `bytea`. Values that this package wrote need no check. */
export function idOfBytes(bytes: Buffer): TallyId {
  return bytes.toString('hex').toUpperCase() as TallyId;
}

/**
 * Reads a row whose columns are partly JSON.
 *
 * @param what Names the row in the message.
 * @throws {TallybookError} `STORE_CORRUPT` if reading it throws.
 */
export function readRow<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new TallybookError('STORE_CORRUPT', `${what} is damaged`, { cause: error });
  }
}

/** Throws unless the text is a JSON object. */
export function parseObject(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('it is no object');
  return value;
}

export function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is missing');
  return value;
}

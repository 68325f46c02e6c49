import type { NameStamp } from '@tallybook/domain/record';
import { encodeNumbers, NumberReader } from '../leveldb-files/numbers.js';

/*
 * The stamp of a name is a row of its own: it can stay when the name is removed, and a store without stamps has no such rows. A
 * name without such a row has NO_STAMP.
 */
const UNKNOWN = 0;
const KNOWN = 1;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Encodes a stamp: a varint that says whether the time is known; if it is, the milliseconds and the counter as varints; then the
 * node in UTF-8.
 *
 * @param stamp `undefined`: the name was changed while the time was unknown.
 */
export function encodeStamp(stamp: NameStamp | undefined): Buffer {
  if (stamp === undefined) return encodeNumbers(UNKNOWN);
  const { ms, counter, node } = stamp;
  const bytes = Buffer.from(node);
  return Buffer.concat([encodeNumbers(KNOWN, ms, counter, bytes.length), bytes]);
}

/** Throws if the value is no stamp. */
export function decodeStamp(value: Buffer): NameStamp | undefined {
  const numbers = new NumberReader(value);
  const stamp = readStamp(numbers);
  numbers.end();
  return stamp;
}

function readStamp(numbers: NumberReader): NameStamp | undefined {
  const kind = numbers.next();
  if (kind === UNKNOWN) return undefined;
  if (kind !== KNOWN) throw new RangeError('there is no such kind of stamp');
  const [ms, counter, length] = [numbers.next(), numbers.next(), numbers.next()];
  return { ms, counter, node: utf8.decode(numbers.take(length)) };
}

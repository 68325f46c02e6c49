import type { NameStamp } from '@tallybook/domain';
import { encodeNumbers, NumberReader } from '../leveldb-files/numbers.js';

/*
 * The stamp of a name is a row of its own, so that it can stay when the name is removed, and so that nothing is written where
 * names have no stamps. A name without such a row has NO_STAMP.
 */
const UNKNOWN = 0;
const KNOWN = 1;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Varints: whether the time is known; and if it is, milliseconds and counter; then the node in UTF-8.
 *
 * @param stamp `undefined`: the name was changed while nobody knew the time.
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

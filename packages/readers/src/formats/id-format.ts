import { createHash } from 'node:crypto';
import type { DeviceUrl, Range } from '@tallybook/devices';
import {
  createIdFormat as createFormat,
  spellingNames,
  TALLY_ID_MAX_BYTES,
  TALLY_ID_MIN_BYTES,
  TallybookError,
  type IdFormat,
  type IdFormatOptions,
  type TallyId,
} from '@tallybook/domain';

/** Allowed values of `keep`, in bytes. */
const KEEP_RANGE: Range = { lowest: TALLY_ID_MIN_BYTES, highest: TALLY_ID_MAX_BYTES };

/**
 * Makes a format. The format first corrects the order of the bytes, then cuts bytes off.
 *
 * @throws {TallybookError} `INVALID_OPTION` if `keep` is out of range, or another option is given with the spelling
 * `text`.
 */
export function createIdFormat(options: IdFormatOptions = {}): IdFormat {
  return createFormat(options, (text) => createHash('sha256').update(text, 'utf8').digest('hex'));
}

/**
 * Reads the parameters `format`, `order`, `keep` and `technology` of the URL of a reader.
 *
 * @param options.parameter Name of the parameter `format` in this URL. Default: `format`.
 * @param options.delivers Data that the reader delivers. The format `text` needs `text`. Default `bytes`.
 */
export function readFormat(
  url: DeviceUrl,
  options: { readonly parameter?: string; readonly delivers?: 'bytes' | 'text' } = {},
): IdFormat {
  const { parameter = 'format', delivers = 'bytes' } = options;
  const names = spellingNames.filter((name) => name !== 'text' || delivers === 'text');
  return createIdFormat({
    spelling: url.choice(parameter, names),
    order: url.choice('order', ['straight', 'reversed']),
    keep: url.wholeNumber('keep', KEEP_RANGE),
    technology: url.choice('technology', ['iso14443']),
  });
}

/** The cascade tag. A reader that delivers it has read only the first part of a UID: the manufacturer and two bytes. */
const CASCADE_TAG = '88';
/** First byte of a random UID of 4 bytes. A random UID changes with each tap, as with phones. */
const RANDOM_MARK = '08';
/** Hex digits of an id of ISO 15693 or FeliCa; no UID of ISO/IEC 14443 has this length. */
const OTHER_LENGTH = 2 * 8;

/**
 * Refuses the first part of a longer UID. Many tags share that part: tags of one maker differ only in the bytes after
 * it.
 *
 * @throws {TallybookError} `FRAME_INVALID` if the UID begins with 88, as no whole UID does.
 * @see ISO/IEC 14443-3, 6.5.4 (no UID begins with the cascade tag); NXP AN10927, section 2.
 */
export function refusePartOfUid(uid: TallyId): void {
  if (!uid.startsWith(CASCADE_TAG) || uid.length === OTHER_LENGTH) return;
  throw new TallybookError(
    'FRAME_INVALID',
    'a tag was refused: its id begins with 88, so it is only the first part of a longer UID, which other tags share; set the reader to whole UIDs, or use another reader',
    { details: { problem: 'a part of a UID', length: uid.length / 2 } },
  );
}

/**
 * Whether a UID is random. A random UID changes with each tap.
 *
 * @see ISO/IEC 14443-3, 6.5.4; NXP AN10927, section 2.
 */
export function isRandomUid(uid: TallyId): boolean {
  return uid.length === 8 && uid.startsWith(RANDOM_MARK);
}

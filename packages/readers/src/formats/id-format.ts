import { createHash } from 'node:crypto';
import type { DeviceUrl, Range } from '@tallybook/devices';
import {
  createIdFormat as createFormat,
  spellingNames,
  TALLY_ID_MAX_BYTES,
  TALLY_ID_MIN_BYTES,
  type IdFormat,
  type IdFormatOptions,
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

import type { StationRun } from '@tallybook/domain/sync';
import { RECEIPT } from '../keys.js';
import { parseJson, readText } from './json-value.js';
import { textKey } from './service-keys.js';

export function receiptKey(device: string): Buffer {
  return textKey(RECEIPT, device);
}

/** @param receipts Receipts of one device, the latest one at the end. */
export function encodeReceipts(receipts: readonly StationRun[]): Buffer {
  return Buffer.from(JSON.stringify(receipts));
}

/** Throws if the value has no receipts. */
export function decodeReceipts(value: Buffer): readonly StationRun[] {
  const receipts = parseJson(value);
  if (!Array.isArray(receipts)) throw new TypeError('they are no list');
  return receipts.map((receipt: unknown) => {
    const [run, number] = receipt as readonly unknown[];
    if (!Number.isSafeInteger(number)) throw new TypeError('a number is missing');
    return [readText(run), number as number];
  });
}

import { RECEIPT } from '../keys.js';
import { parseJson, readText } from './json-value.js';
import { textKey } from './service-keys.js';

/** The largest number that was received from a run of a device. */
export type RunReceipt = readonly [run: string, number: number];

export function receiptKey(device: string): Buffer {
  return textKey(RECEIPT, device);
}

/** @param receipts Receipts of one device, the latest one at the end. */
export function encodeReceipts(receipts: readonly RunReceipt[]): Buffer {
  return Buffer.from(JSON.stringify(receipts));
}

/** Throws if the value has no receipts. */
export function decodeReceipts(value: Buffer): readonly RunReceipt[] {
  const receipts = parseJson(value);
  if (!Array.isArray(receipts)) throw new TypeError('they are no list');
  return receipts.map((receipt: unknown) => {
    const [run, number] = receipt as readonly unknown[];
    if (!Number.isSafeInteger(number)) throw new TypeError('a number is missing');
    return [readText(run), number as number];
  });
}

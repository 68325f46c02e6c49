import { RECEIPT, textKey } from '../keys.js';
import { parseJson, readText } from './json-value.js';

/** Up to which number a run of a device was heard. */
export type Receipt = readonly [run: string, number: number];

export function receiptKey(device: string): Buffer {
  return textKey(RECEIPT, device);
}

/** @param receipts Of one device; the one that was noted last at the end. */
export function encodeReceipts(receipts: readonly Receipt[]): Buffer {
  return Buffer.from(JSON.stringify(receipts));
}

/** Throws if the value has no receipts. */
export function decodeReceipts(value: Buffer): readonly Receipt[] {
  const receipts = parseJson(value);
  if (!Array.isArray(receipts)) throw new TypeError('they are no list');
  return receipts.map((receipt: unknown) => {
    const [run, number] = receipt as readonly unknown[];
    if (!Number.isSafeInteger(number)) throw new TypeError('a number is missing');
    return [readText(run), number as number];
  });
}

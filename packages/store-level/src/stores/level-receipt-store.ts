import { isTallybookError, type Receipt, type ReceiptStore, type TallybookError } from '@tallybook/domain';
import { LevelFacet } from '../database/level-facet.js';
import { getNow } from '../level/raw-level.js';
import { decodeRow } from '../rows/codec.js';
import type { Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import { decodeReceipts, encodeReceipts, receiptKey, type RunReceipt } from '../rows/service/receipt-rows.js';
import { receiptRange, textOfKey } from '../rows/service/service-keys.js';

/** How many runs of a device are kept. */
const RUNS_MAX = 8;

/** Keeps receipts in LevelDB, a row for each device. While it is open no other process can write. */
export class LevelReceiptStore extends LevelFacet implements ReceiptStore {
  async latest(device: string, run: string): Promise<number> {
    const key = receiptKey(device);
    try {
      return await this.query(async (level) => {
        const value = getNow(level, key);
        return value === undefined
          ? 0
          : numberOf(
              decodeRow(key, () => decodeReceipts(unseal(key, value))),
              run,
            );
      });
    } catch (error) {
      // The read has already noted the damage for the next opening.
      if (isTallybookError(error, 'STORE_CORRUPT')) return 0;
      throw error;
    }
  }

  note(device: string, run: string, number: number): Promise<void> {
    const key = receiptKey(device);
    return this.commit({
      keys: [key],
      decide: (rows) => {
        const receipts = receiptsIn(rows, key);
        const others = receipts.filter(([each]) => each !== run);
        const noted: RunReceipt = [run, Math.max(numberOf(receipts, run), number)];
        rows.put(key, encodeReceipts([...others, noted].slice(-RUNS_MAX)));
      },
    });
  }

  list(): Promise<readonly Receipt[]> {
    return this.database.run(async () => {
      const rows = await this.database.read((level) => level.iterator(receiptRange).all());
      const receipts: Receipt[] = [];
      const damages: TallybookError[] = [];
      for (const [key, value] of rows) {
        try {
          const device = decodeRow(key, () => textOfKey(key));
          const runs = decodeRow(key, () => decodeReceipts(unseal(key, value)));
          receipts.push(...runs.map(([run, number]) => ({ device, run, number })));
        } catch (error) {
          if (!isTallybookError(error, 'STORE_CORRUPT')) throw error;
          damages.push(error);
        }
      }
      for (const damage of damages) await this.database.noteDamage(damage);
      return receipts;
    });
  }
}

function numberOf(receipts: readonly RunReceipt[], run: string): number {
  return receipts.find(([each]) => each === run)?.[1] ?? 0;
}

/** The receipts in a row; empty if they are damaged. */
function receiptsIn(rows: Rows, key: Buffer): readonly RunReceipt[] {
  try {
    const value = rows.get(key);
    return value === undefined ? [] : decodeRow(key, () => decodeReceipts(value));
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return [];
    throw error;
  }
}

import type { Receipt, ReceiptStore } from '@tallybook/domain';
import { ifCode } from '@tallybook/domain/record';
import { acknowledgedOf, withAcknowledged, type StationRun } from '@tallybook/domain/sync';
import { LevelFacet } from '../database/level-database.js';
import { getNow } from '../level/raw-level.js';
import { decodeRow, unlessDamaged } from '../rows/codec.js';
import type { Rows } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import { decodeReceipts, encodeReceipts, receiptKey } from '../rows/service/receipt-rows.js';
import { receiptRange, textOfKey } from '../rows/service/service-keys.js';

/** Keeps receipts in LevelDB, a row for each device, as the acknowledged runs of a station are kept. */
export class LevelReceiptStore extends LevelFacet implements ReceiptStore {
  async latest(device: string, run: string): Promise<number> {
    const key = receiptKey(device);
    const read = this.query(async (level) => {
      const value = getNow(level, key);
      return value && decodeRow(key, () => decodeReceipts(unseal(key, value)));
    });
    // The read notes damage for the next opening.
    const receipts = await read.catch(ifCode('STORE_CORRUPT', undefined));
    return acknowledgedOf(receipts ?? [], run);
  }

  note(device: string, run: string, number: number): Promise<void> {
    const key = receiptKey(device);
    return this.commit({
      keys: [key],
      decide: (rows) => {
        rows.put(key, encodeReceipts(withAcknowledged(receiptsIn(rows, key), run, number)));
      },
    });
  }

  list(): Promise<readonly Receipt[]> {
    return this.run(async () => {
      const rows = await this.database.read((level) => level.iterator(receiptRange).all());
      const receipts: Receipt[] = [];
      for (const [key, value] of rows) {
        const its = await this.database.handle.decoded(key, () => {
          const device = textOfKey(key);
          return decodeReceipts(unseal(key, value)).map(([run, number]) => ({ device, run, number }));
        });
        receipts.push(...(its ?? []));
      }
      return receipts;
    });
  }
}

/** The receipts in a row; empty if they are damaged. */
function receiptsIn(rows: Rows, key: Buffer): readonly StationRun[] {
  const receipts = unlessDamaged(() => {
    const value = rows.get(key);
    return value && decodeRow(key, () => decodeReceipts(value));
  });
  return receipts ?? [];
}

import { expect } from 'chai';
import { rowName, type Row, type RowMap } from '../../src/rows/rows.js';
import { KeptRows } from '../../src/database/counted-level.js';
import { auditHeadKey, auditKey } from '../../src/rows/service/service-keys.js';

const end = rowName(auditHeadKey);
const entry = rowName(auditKey(1));

function changesOf(...rows: readonly Row[]): RowMap {
  return new Map(rows.map((row) => [rowName(row.key), row]));
}

describe('KeptRows', () => {
  it('have the row of the end of the audit trail as the latest commit left it', () => {
    const kept = new KeptRows();
    expect(kept.find(end)).to.equal(undefined);
    for (const byte of [1, 2]) {
      const row = { key: auditHeadKey, value: Buffer.of(byte) };
      kept.take(changesOf(row));
      kept.take(changesOf({ key: auditKey(1), value: Buffer.of(9) }));
      expect(kept.find(end)).to.equal(row);
    }
  });

  it('have no other row', () => {
    const kept = new KeptRows();
    kept.take(changesOf({ key: auditKey(1), value: Buffer.of(9) }));
    expect(kept.find(entry)).to.equal(undefined);
  });
});

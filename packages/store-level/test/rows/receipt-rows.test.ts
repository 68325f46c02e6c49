import { expect } from 'chai';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { hexOf, readRawRows, writeRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openFacet } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const doorKey = `0b${hexOf('door')}`;

describe('LevelReceiptStore', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  const open = () => openFacet(directory.path, 'receipts');

  beforeEach(async () => {
    await using store = await open();
    await store.note('door', 'a', 7);
    await store.note('door', 'b', 1);
  });

  it('keeps a row for each device, with its runs in the order in which they were noted', async () => {
    const sealed = (await readRawRows(directory.path)).get(doorKey) ?? '';
    expect(Buffer.from(sealed.slice(0, -8), 'hex').toString()).to.equal('[["a",7],["b",1]]');
  });

  it('treats a device with a damaged row as new, and marks the damage for the next opening', async () => {
    await writeRawRows(directory.path, { [doorKey]: 'ffffffffff' });
    {
      await using store = await open();
      expect(await store.latest('door', 'a')).to.equal(0);
      await store.note('door', 'a', 8);
      expect(await store.latest('door', 'a')).to.equal(8);
    }
    await rejection(open(), 'STORE_CORRUPT');
  });

  it('notes nothing when the write fails, and accepts the next one', async () => {
    await using store = await open();
    probe.current.failOnce(new Error('the disk is full'));
    await rejection(store.note('door', 'a', 9), 'STORE_WRITE_FAILED');
    expect(await store.latest('door', 'a')).to.equal(7);
    await store.note('door', 'a', 9);
    expect(await store.latest('door', 'a')).to.equal(9);
  });
});

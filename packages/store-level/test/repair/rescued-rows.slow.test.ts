import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { salvage, type SalvageOptions } from '../../src/repair/salvage.js';
import { seal } from '../../src/rows/seal.js';
import { cut, flip, overwrite, type Damage } from '../fixtures/damaged-copy.js';
import { batch, del, put } from '../fixtures/leveldb/leveldb-batch.js';
import { logOf } from '../fixtures/leveldb/leveldb-log.js';
import { randomNumbers } from '../fixtures/random.js';
import { makeTable, noise, type Change } from '../fixtures/leveldb/sound-table.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const BLOCK = 32_768;
const ROW_KEYS = 12;
/** Bytes of three lengths and a key of five bytes with its suffix. */
const ROW_HEAD_BYTES = 16;

/** The key of the name of one of a few tags. */
const keyOf = (n: number): Buffer => Buffer.from(`0104a2${n.toString(16).padStart(4, '0')}`, 'hex');
const nameOf = (key: Buffer): string => key.toString('hex');

/** A written change, and the place of its bytes in the file. */
interface Written extends Change {
  readonly offsets: readonly number[];
}

/** The result of a salvage, in hex. */
type Rows = Map<string, string>;

describe('A damaged place', () => {
  const directory = useTempDirectory();

  async function save(
    tables: readonly Buffer[],
    logs: readonly Buffer[],
    options: SalvageOptions = {},
  ): Promise<{ rows: Rows }> {
    const folder = join(directory.path, 'files');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    const names = { tables: tables.map((_, n) => `${n}.ldb`), logs: logs.map((_, n) => `${n}.log`) };
    for (const [n, bytes] of tables.entries()) await writeFile(join(folder, `${n}.ldb`), bytes);
    for (const [n, bytes] of logs.entries()) await writeFile(join(folder, `${n}.log`), bytes);
    const rows: Rows = new Map();
    const report = {
      onDamage: () => undefined,
      onDamagedRow: () => undefined,
      onLostChanges: () => undefined,
      onBrokenBlock: () => undefined,
    };
    for await (const { key, value } of salvage(folder, { ...names, damages: [] }, report, options)) {
      expect(rows.has(nameOf(key))).to.equal(false);
      rows.set(nameOf(key), value.toString('hex'));
    }
    return { rows };
  }

  /** A log of batches, with its changes in order. */
  function makeLog(seed: number, batches: number, sizeOf: (random: (limit: number) => number) => number) {
    const random = randomNumbers(seed);
    const records: Buffer[] = [];
    const written: Written[] = [];
    let offset = 0;
    for (let n = 0; n < batches; n++) {
      const changes: Change[] = Array.from({ length: 1 + random(6) }, (_, index) => {
        const key = keyOf(random(ROW_KEYS));
        // Each commit begins with the row of its number.
        const isDeletion = index > 0 && random(5) === 0;
        return { key, value: isDeletion ? undefined : seal(key, noise(random(1e9), sizeOf(random))) };
      });
      const parts = changes.map(({ key, value }) => (value === undefined ? del(key) : put(key, value)));
      const record = batch(BigInt(written.length + 1), ...parts);
      records.push(record);
      // As LevelDB places it: a header at the beginning of the record or of a block.
      const places: number[] = [];
      if (BLOCK - (offset % BLOCK) < 7) offset += BLOCK - (offset % BLOCK);
      offset += 7;
      while (places.length < record.length) {
        if (offset % BLOCK === 0) offset += 7;
        places.push(offset++);
      }
      let at = 12;
      for (const [index, change] of changes.entries()) {
        const end = at + (parts[index]?.length ?? 0);
        written.push({ ...change, offsets: places.slice(at, end) });
        at = end;
      }
    }
    const bytes = logOf(records);
    expect(bytes.length).to.equal(offset);
    return { bytes, written };
  }

  const isWhole = ({ offsets }: Written, { from, to }: Damage): boolean =>
    offsets.every((offset) => offset < from || offset >= to);

  /** The newest change of each row. */
  const newest = (changes: readonly Written[]): ReadonlyMap<string, Written> =>
    new Map(changes.map((change) => [nameOf(change.key), change]));

  const valueOf = (sealed: Buffer | undefined): string | undefined => sealed?.subarray(0, -4).toString('hex');

  /** Checks that each row has its newest complete change. */
  function check(
    rows: Rows,
    written: readonly Written[],
    damage: Damage,
    { mayReturn }: { readonly mayReturn: boolean },
  ): void {
    const whole = written.filter((change) => isWhole(change, damage));
    const lastPut = newest(whole.filter(({ value }) => value !== undefined));
    for (const [name, { value }] of newest(whole)) {
      const found = rows.get(name);
      const where = `${damage.name}, row ${name}`;
      if (value !== undefined) expect(found, where).to.equal(valueOf(value));
      else if (!mayReturn) expect(found, where).to.equal(undefined);
      // A deletion has no seal, so the former state may come back.
      else expect([undefined, valueOf(lastPut.get(name)?.value)], where).to.include(found);
    }
    expect(rows.size, damage.name).to.be.at.most(newest(whole).size);
  }

  it('in a log that was cut at any place costs no change that is complete on the disk', async () => {
    const { bytes, written } = makeLog(1, 20, (random) => random(60));
    for (let size = 0; size < bytes.length; size += size < bytes.length - 400 ? 3 : 1) {
      const damage = cut(size);
      const { rows } = await save([], [damage.apply(bytes)]);
      check(rows, written, damage, { mayReturn: false });
    }
  });

  it('in a log that was cut in a record of several blocks costs no change that is complete on the disk', async () => {
    const { bytes, written } = makeLog(2, 12, (random) => random(12_000));
    expect(bytes.length).to.be.above(3 * BLOCK);
    const random = randomNumbers(3);
    for (let n = 0; n < 60; n++) {
      const damage = cut(random(bytes.length));
      const { rows } = await save([], [damage.apply(bytes)]);
      check(rows, written, damage, { mayReturn: false });
    }
  });

  it('in a log that was cut costs no row that spans two blocks', async () => {
    const keys = [1, 2, 3].map(keyOf);
    const sealed = keys.map((key, n) => seal(key, noise(n, 20_000)));
    const log = logOf([batch(1n, ...keys.map((key, n) => put(key, sealed[n] ?? Buffer.alloc(0))))]);
    const { rows } = await save([], [log.subarray(0, -1)]);
    expect([...rows]).to.deep.equal([0, 1].map((n) => [nameOf(keyOf(n + 1)), valueOf(sealed[n])]));
  });

  it('of one bit at any place of a log costs the change with that bit', async () => {
    const { bytes, written } = makeLog(4, 15, (random) => random(60));
    const random = randomNumbers(5);
    for (let at = 0; at < bytes.length; at++) {
      const damage = flip(at, random(8));
      const { rows } = await save([], [damage.apply(bytes)]);
      check(rows, written, damage, { mayReturn: true });
    }
  });

  it('of many bytes costs no row of a log that is complete on the disk, and no older row replaces a newer one', async () => {
    const random = randomNumbers(6);
    for (let n = 0; n < 240; n++) {
      const { bytes, written } = makeLog(7 + (n % 20), 30, (size) => size(n % 3 === 0 ? 3_000 : 90));
      const length = 1 + random(n % 2 === 0 ? 40 : 1_500);
      const filler = [Buffer.alloc(length), Buffer.alloc(length, 0xff), noise(n, length)][n % 3];
      const damage = overwrite(random(bytes.length), filler ?? Buffer.alloc(0));
      const { rows } = await save([], [damage.apply(bytes)]);
      check(rows, written, damage, { mayReturn: true });
    }
  });

  it('in the only record of a log leaves its rows newer than all tables', async () => {
    const [key, other] = [keyOf(1), keyOf(2)];
    const table = await makeTable([
      { key, value: seal(key, Buffer.from('old')) },
      { key: other, value: seal(other, Buffer.from('only')) },
    ]);
    const log = logOf([batch(1_000n, put(key, seal(key, Buffer.from('new'))))]);
    log.fill(0xff, 0, 19);
    const { rows } = await save([table], [log]);
    expect(rows).to.deep.equal(
      new Map([
        [nameOf(key), Buffer.from('new').toString('hex')],
        [nameOf(other), Buffer.from('only').toString('hex')],
      ]),
    );
  });

  it('in the first records of a second log leaves its rows newer than the first log', async () => {
    const key = keyOf(1);
    const row = (value: string): Buffer => put(key, seal(key, Buffer.from(value)));
    const first = logOf([batch(5n, row('a'), row('b'))]);
    const second = logOf([
      batch(7n, row('c'), row('d')),
      batch(9n, put(keyOf(2), seal(keyOf(2), Buffer.of(1)))),
    ]);
    // The header of the batch and its first row are gone.
    second.fill(0xff, 0, 19 + 9);
    const { rows } = await save([], [first, second]);
    expect(rows.get(nameOf(key))).to.equal(Buffer.from('d').toString('hex'));
  });

  it('at the end of a first log leaves its rows older than the second log', async () => {
    const key = keyOf(1);
    const row = (value: string): Buffer => put(key, seal(key, Buffer.from(value)));
    const first = logOf([batch(5n, row('a')), batch(6n, row('b'))]);
    first.fill(0xff, first.length / 2, first.length / 2 + 19);
    const second = logOf([batch(7n, row('c'))]);
    const { rows } = await save([], [first, second]);
    expect(rows.get(nameOf(key))).to.equal(Buffer.from('c').toString('hex'));
  });

  it('in a table does not make a row newer than all others by a wrong number', async () => {
    const key = keyOf(1);
    const [old, current] = [noise(1, 60), noise(2, 60)];
    const damaged = await makeTable([{ key, value: seal(key, old) }]);
    const table = await makeTable([
      { key, value: undefined },
      { key, value: seal(key, current) },
    ]);
    // The number of the row, and not its kind before it.
    const at = damaged.indexOf(old) - 7;
    damaged.fill(0x0f, at, at + 6);
    const found = async (latestSequence: number): Promise<string | undefined> =>
      (await save([damaged, table], [], { latestSequence })).rows.get(nameOf(key));
    expect(await found(2)).to.equal(current.toString('hex'));
    expect(await found(2 ** 48)).to.equal(old.toString('hex'));
  });

  const rowsOf = (changes: readonly Change[]): Rows =>
    new Map(changes.map(({ key, value }) => [nameOf(key), valueOf(value) ?? '']));

  async function makeRows(count: number): Promise<{ bytes: Buffer; changes: Change[] }> {
    const changes = Array.from({ length: count }, (_, n) => {
      const key = keyOf(n);
      return { key, value: seal(key, noise(n, 60)) };
    });
    return { bytes: await makeTable(changes), changes };
  }

  it('of one bit at any place costs at most one row of a table', async () => {
    const { bytes, changes } = await makeRows(250);
    const all = rowsOf(changes);
    const random = randomNumbers(8);
    for (let at = 0; at < bytes.length; at += 1 + random(90)) {
      const damage = flip(at, random(8));
      const { rows } = await save([damage.apply(bytes)], []);
      for (const [name, value] of rows) expect(value, damage.name).to.equal(all.get(name));
      expect(rows.size, damage.name).to.be.at.least(all.size - 1);
    }
  });

  for (const [what, spoil] of [
    ['a sound index', (bytes: Buffer) => bytes],
    ['no index', (bytes: Buffer) => bytes.fill(0xff, bytes.length - 100)],
  ] as const) {
    it(`of many bytes costs no row of a table that is complete on the disk, with ${what}`, async () => {
      const { bytes, changes } = await makeRows(250);
      const all = rowsOf(changes);
      const random = randomNumbers(9);
      const end = bytes.indexOf(changes.at(-1)?.value ?? Buffer.alloc(0));
      for (let n = 0; n < 60; n++) {
        const length = 2 + random(n % 2 === 0 ? 100 : 5_000);
        const filler = [Buffer.alloc(length), Buffer.alloc(length, 0xff), noise(n, length)][n % 3];
        const damage = overwrite(random(end), filler ?? Buffer.alloc(0));
        // The part after the rows has another test.
        if (damage.to >= end) continue;
        const { rows } = await save([spoil(damage.apply(bytes))], []);
        for (const [name, value] of rows) expect(value).to.equal(all.get(name));
        const lost = changes.filter(({ key }) => !rows.has(nameOf(key)));
        for (const { value = Buffer.alloc(0) } of lost) {
          const at = bytes.indexOf(value);
          const isTouched = at - ROW_HEAD_BYTES < damage.to && at + value.length > damage.from;
          expect(isTouched, `${damage.name}: the row of the value at ${at}`).to.equal(true);
        }
      }
    });
  }

  it('in a table that was cut costs no row before it', async () => {
    const { bytes, changes } = await makeRows(250);
    const random = randomNumbers(10);
    for (let n = 0; n < 60; n++) {
      const size = random(bytes.length);
      const { rows } = await save([bytes.subarray(0, size)], []);
      for (const { key, value = Buffer.alloc(0) } of changes) {
        if (bytes.indexOf(value) + value.length > size) continue;
        expect(rows.get(nameOf(key)), `cut at ${size}`).to.equal(valueOf(value));
      }
    }
  });
});

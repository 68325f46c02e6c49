import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { parseTallyId, toTimestamp, type Lifecycle } from '@tallybook/domain';
import {
  AUDIT_BEGINNING,
  auditActions,
  AuditTrail,
  writeAuditEntry,
  type AuditEntry,
  type AuditHead,
  type AuditVerification,
  type AuditStore,
} from '@tallybook/domain/access';
import { LevelStorage } from '@tallybook/store-level';
import { unseal } from '../../src/rows/seal.js';
import { decodeAuditEntries, encodeAuditHead, sealAuditEntries } from '../../src/rows/service/audit-rows.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { deleteRawRows, readRawRows, writeRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { facetOf } from '@tallybook/testing';
import { auditHeadKey, auditKey } from '../../src/rows/service/service-keys.js';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const timekeeper = {
  now: () => toTimestamp(1_763_500_000),
  trust: () => ({ isTrusted: true, basis: 'assumed' }) as const,
};
const keyOf = (number: number): string => auditKey(number).toString('hex');
const headKey = auditHeadKey.toString('hex');

describe('The row of the latest audit entry', () => {
  it('is not made from an invalid hash', () => {
    for (const hash of ['', 'ab', `${'ab'.repeat(31)}zz`]) {
      expect(() => encodeAuditHead({ number: 1, hash }), hash).to.throw(RangeError, 'a hash has 32 bytes');
    }
  });
});

describe('The row of an audit entry', () => {
  it('is byte for byte the result of JSON.stringify', () => {
    const hash = 'ab'.repeat(32);
    const texts = ['ada', 'zoë "z"', '\\ \n\u0000\u2028', '', '👩‍👩‍👧‍👦'];
    const details = [{}, { n: 1, part: -0.125, yes: true }, { 'a "b"\n': 'ü\\', '2': '', '1': 'x' }];
    for (const [index, action] of auditActions.entries()) {
      const fields = {
        at: toTimestamp(index === 0 ? 0 : Number.MAX_SAFE_INTEGER - index),
        actor: texts[index % texts.length] ?? '',
        action,
        details: details[index % details.length] ?? {},
        previous: AUDIT_BEGINNING,
        hash,
      };
      const entry = { number: index + 1, ...fields };
      const { key, sealed } = sealAuditEntries(entry.number, [writeAuditEntry(entry)]);
      const row = unseal(key, sealed);
      expect(row.toString()).to.equal(JSON.stringify(fields));
      expect(decodeAuditEntries(key, row)).to.deep.equal([entry]);
    }
  });
});

describe('LevelAuditStore', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  async function withTrail<T>(
    work: (trail: AuditTrail, store: AuditStore & Lifecycle) => Promise<T>,
  ): Promise<T> {
    await using store = facetOf(new LevelStorage(directory.path), 'audit');
    await store.open();
    return await work(new AuditTrail({ store, digest, timekeeper }), store);
  }

  /** Writes nine entries, and gives the end of the trail. */
  function fill(): Promise<AuditHead | undefined> {
    return withTrail(async (trail) => {
      for (let n = 1; n <= 9; n++) await trail.note('ada', 'name-set', { n });
      return trail.latest();
    });
  }

  function verify(expected?: AuditHead): Promise<AuditVerification> {
    return withTrail((trail) => trail.verify(expected));
  }

  it('keeps a row for each entry that is written alone, and one for where the trail ends', async () => {
    const head = await fill();
    const rows = await readRawRows(directory.path);
    expect([...rows.keys()].filter((key) => key.startsWith('0a'))).to.deep.equal([
      headKey,
      ...Array.from({ length: 9 }, (_, n) => keyOf(n + 1)),
    ]);
    expect(rows.get(headKey)?.slice(0, -8)).to.equal(`09${head?.hash}`);
    expect(Buffer.from(rows.get(keyOf(1)) ?? '', 'hex').toString()).to.match(
      /^\{"at":1763500000,"actor":"ada","action":"name-set","details":\{"n":1\},"previous":"0{64}","hash":"[0-9a-f]{64}"\}/,
    );
  });

  describe('when rows are damaged', () => {
    const damaged = 'ffffffffffffffff';

    it('leaves an entry out, so that a gap is visible, and marks the damage for the next opening', async () => {
      await fill();
      await writeRawRows(directory.path, { [keyOf(4)]: damaged, [keyOf(5)]: damaged });
      await withTrail(async (trail, store) => {
        expect((await store.read(0, 5)).map(({ number }) => number)).to.deep.equal([1, 2, 3, 6, 7]);
        expect((await store.read(3, 2)).map(({ number }) => number)).to.deep.equal([6, 7]);
        expect((await trail.verify()).fault).to.deep.equal({ kind: 'missing', number: 4 });
      });
      await rejection(verify(), 'STORE_CORRUPT');
    });

    it('continues after the last entry if the row of the end is damaged or missing', async () => {
      const head = await fill();
      await writeRawRows(directory.path, { [headKey]: damaged });
      await withTrail(async (trail, store) => {
        expect(await store.latest()).to.deep.equal(head);
        await trail.note('ada', 'name-set');
        expect((await trail.verify()).fault).to.equal(undefined);
      });
      await deleteRawRows(directory.path, [headKey]);
      await withTrail(async (trail) => {
        await trail.note('ada', 'name-set');
        expect(await trail.verify()).to.deep.include({ entries: 11, fault: undefined });
      });
    });

    it('continues after the row of the end if the last entry is damaged', async () => {
      await fill();
      await writeRawRows(directory.path, { [keyOf(9)]: damaged });
      await withTrail(async (trail) => {
        await trail.note('ada', 'name-set');
        expect((await trail.latest())?.number).to.equal(10);
        expect((await trail.verify()).fault).to.deep.equal({ kind: 'missing', number: 9 });
      });
    });

    it('continues after a damaged last entry if the row of the end is missing', async () => {
      await fill();
      await deleteRawRows(directory.path, [headKey]);
      await writeRawRows(directory.path, { [keyOf(9)]: damaged });
      await withTrail(async (trail) => {
        await trail.note('ada', 'name-set');
        expect((await trail.latest())?.number).to.equal(10);
        expect((await trail.verify()).fault?.number).to.equal(9);
      });
    });
  });

  it('appends nothing when the write fails, and accepts the next one', async () => {
    await fill();
    await withTrail(async (trail) => {
      probe.current.failOnce(new Error('the disk is full'));
      await trail.note('ada', 'signed-in');
      expect(trail.unwritten).to.equal(1);
      await trail.note('ada', 'signed-out');
      expect(trail.unwritten).to.equal(0);
      expect(await trail.verify()).to.deep.include({ entries: 11, fault: undefined });
    });
  });

  it('looks up the end of the trail once, and again after a failed write', async () => {
    await fill();
    await withTrail(async (trail, store) => {
      const lookedUpFor = async (note: () => Promise<unknown>): Promise<number> => {
        probe.current.forget();
        await note();
        return probe.current.lookedUp;
      };
      expect(await lookedUpFor(() => trail.note('ada', 'signed-in'))).to.equal(1);
      expect(await lookedUpFor(() => trail.note('ada', 'name-set'))).to.equal(0);
      // The failed write may have been written.
      probe.current.failOnce(new Error('the disk is full'), 'after');
      await trail.note('ada', 'name-set');
      expect(trail.unwritten).to.equal(1);
      expect(await lookedUpFor(() => trail.note('ada', 'signed-out'))).to.be.above(0);
      expect((await store.latest())?.number).to.equal(14);
      expect((await trail.verify()).fault).to.equal(undefined);
    });
  });

  it('writes simultaneous notes, and the names that they are about, with one sync', async () => {
    const database = new LevelStorage(directory.path);
    await using store = facetOf(database, 'audit');
    await using names = facetOf(database, 'mapping');
    await store.open();
    await names.open();
    const trail = new AuditTrail({ store, digest, timekeeper });
    await trail.note('ada', 'signed-in');
    const ids = Array.from({ length: 20 }, (_, n) => parseTallyId(`04A2B3${String(n).padStart(2, '0')}`));
    await Promise.all(
      ids.flatMap((id) => [trail.note('ada', 'name-set'), names.put(id, { first: 'Bob', last: '' })]),
    );
    await names.close();
    await store.close();
    // The row of the commit number counts the batches.
    expect((await readRawRows(directory.path)).get('0002')?.slice(0, -8)).to.equal('02');
  });

  describe('while the disk works on a note', () => {
    /** Hands a second entry over while the first one is being written, and says after which numbers both were asked for. */
    async function askedWhileWriting(write: (run: () => Promise<void>) => Promise<void>) {
      const asked: number[] = [];
      const entryAfter = ({ number, hash: previous }: AuditHead): AuditEntry => {
        asked.push(number);
        const fields = { number: number + 1, at: timekeeper.now(), actor: 'ada', details: {}, previous };
        return { ...fields, action: 'name-set', hash: digest(String(number)) };
      };
      return withTrail(async (_, store) => {
        let second: Promise<void> | undefined;
        let askedMeanwhile: readonly number[] = [];
        probe.current.onBatch = async (run) => {
          probe.current.onBatch = (runNext) => runNext();
          second = store.appendNext(entryAfter);
          await new Promise(setImmediate);
          askedMeanwhile = [...asked];
          await write(run);
        };
        const [first] = await Promise.allSettled([store.appendNext(entryAfter)]);
        await second;
        return { first: first.status, askedMeanwhile, asked, end: (await store.latest())?.number };
      });
    }

    it('makes the next one, once if that is written', async () => {
      expect(await askedWhileWriting((run) => run())).to.deep.equal({
        ...{ first: 'fulfilled', askedMeanwhile: [0, 1], asked: [0, 1], end: 2 },
      });
    });

    it('makes the next one, and another one if that fails', async () => {
      const fail = (): Promise<void> => Promise.reject(new Error('the disk is full'));
      expect(await askedWhileWriting(fail)).to.deep.equal({
        ...{ first: 'rejected', askedMeanwhile: [0, 1], asked: [0, 1, 0], end: 1 },
      });
    });
  });

  describe('when entries share a row', () => {
    /** Writes nine entries: 1 alone, 2 to 8 in a row, and 9 alone. */
    async function fillTogether(): Promise<void> {
      await withTrail(async (trail) => {
        await trail.note('ada', 'name-set', { n: 1 });
        await Promise.all([2, 3, 4, 5, 6, 7, 8].map((n) => trail.note('ada', 'name-set', { n })));
        await trail.note('ada', 'name-set', { n: 9 });
      });
      expect(
        [...(await readRawRows(directory.path)).keys()].filter((key) => key.startsWith('0a')),
      ).to.deep.equal([headKey, keyOf(1), shared, keyOf(9)]);
    }
    const shared = auditKey(8, 7).toString('hex');

    function numbersOf(after: number, limit: number): Promise<readonly number[]> {
      return withTrail(async (_, store) => (await store.read(after, limit)).map(({ number }) => number));
    }

    it('reads from any of them on, up to any of them', async () => {
      await fillTogether();
      const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
      for (let after = 0; after <= 9; after++) {
        for (let limit = 1; limit <= 10; limit++) {
          expect(await numbersOf(after, limit)).to.deep.equal(all.slice(after, after + limit));
        }
      }
      expect((await verify()).fault).to.equal(undefined);
    });

    it('removes those before one, of the row that they share too, and leaves a chain', async () => {
      await fillTogether();
      await withTrail(async (_, store) => {
        expect(await store.removeThrough(4)).to.equal(4);
        expect(await store.removeThrough(4)).to.equal(0);
        expect((await store.read(0, 99)).map(({ number }) => number)).to.deep.equal([5, 6, 7, 8, 9]);
        expect(await store.removeThrough(7)).to.equal(3);
        expect((await store.read(0, 99)).map(({ number }) => number)).to.deep.equal([8, 9]);
        expect(await store.removeThrough(99)).to.equal(1);
        expect((await store.read(0, 99)).map(({ number }) => number)).to.deep.equal([9]);
      });
      expect(
        [...(await readRawRows(directory.path)).keys()].filter((key) => key.startsWith('0a')),
      ).to.deep.equal([headKey, keyOf(9)]);
    });

    it('gives each entry once, and ascending, if a row is there in both lengths', async () => {
      await fillTogether();
      const before = (await readRawRows(directory.path)).get(shared) ?? '';
      await withTrail((_, store) => store.removeThrough(4));
      // A repair of a damaged log can save the shortened row, and not the removal of the row before.
      await writeRawRows(directory.path, { [shared]: before });
      expect(await numbersOf(0, 99)).to.deep.equal([5, 6, 7, 8, 9]);
      expect(await numbersOf(0, 4)).to.deep.equal([5, 6, 7, 8]);
      expect(await numbersOf(6, 99)).to.deep.equal([7, 8, 9]);
    });

    it('goes on after the last of them, also if the row of the end is gone', async () => {
      await withTrail((trail) => Promise.all([1, 2, 3].map((n) => trail.note('ada', 'name-set', { n }))));
      const head = await withTrail((trail) => trail.latest());
      await deleteRawRows(directory.path, [headKey]);
      await withTrail(async (trail) => {
        expect(await trail.latest()).to.deep.equal(head);
        await trail.note('ada', 'name-set');
        expect(await trail.verify()).to.deep.include({ entries: 4, fault: undefined });
      });
    });

    it('leaves all of them out if their row is damaged, so that a gap shows', async () => {
      await fillTogether();
      await writeRawRows(directory.path, { [shared]: 'ffffffffffffffff' });
      await withTrail(async (trail, store) => {
        expect((await store.read(0, 3)).map(({ number }) => number)).to.deep.equal([1, 9]);
        expect((await store.read(1, 1)).map(({ number }) => number)).to.deep.equal([9]);
        expect((await trail.verify()).fault).to.deep.equal({ kind: 'missing', number: 2 });
        expect(await store.removeThrough(4)).to.equal(1);
        expect(await store.removeThrough(8)).to.equal(7);
      });
    });

    it('goes on after them if they are the last ones, damaged, and the row of the end is gone', async () => {
      await withTrail((trail) => Promise.all([1, 2, 3].map((n) => trail.note('ada', 'name-set', { n }))));
      await deleteRawRows(directory.path, [headKey]);
      await writeRawRows(directory.path, { [auditKey(3, 3).toString('hex')]: 'ffffffffffffffff' });
      await withTrail(async (trail) => {
        await trail.note('ada', 'name-set');
        expect((await trail.latest())?.number).to.equal(4);
      });
    });
  });

  it('removes many old entries, in several batches', async () => {
    await withTrail(async (trail, store) => {
      await Promise.all(Array.from({ length: 2_500 }, () => trail.note('ada', 'name-set')));
      expect(await store.removeThrough(2_400)).to.equal(2_400);
      expect((await store.read(0, 1))[0]?.number).to.equal(2_401);
    });
  });
});

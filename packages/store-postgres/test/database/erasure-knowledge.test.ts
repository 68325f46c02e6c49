import assert from 'node:assert/strict';
import { parseTallyId, toTimestamp } from '@tallybook/domain';
import type { KeptErasure } from '@tallybook/domain/record';
import type { SiteRows } from '../../src/connection/session.js';
import { ErasureKnowledge } from '../../src/database/erasure-knowledge.js';
import type { SiteRow } from '../../src/database/site-statements.js';
import { tagDigests } from '../../src/rows/erasure-rows.js';

const key = '0'.repeat(32);
const [ada, bob] = [parseTallyId('04A2B3C4D5'), parseTallyId('0006547886')];
const erasureOf = (id: typeof ada, until = 100): KeptErasure => ({
  ...{ key, digest: tagDigests.digestOf(key, id), from: toTimestamp(0), state: 'removed' },
  ...{ until: toTimestamp(until), expiresAt: toTimestamp(until + 100) },
});
const rowOf = (erasuresRevision: number): SiteRow => ({ erasuresRevision, erasureKey: key }) as SiteRow;

/** The erasures of a site as its database has them. */
class Site {
  erasures: readonly KeptErasure[] = [];
  reads = 0;
  readonly connection: SiteRows = { rows: () => this.#read() };

  transaction(revision: number): Parameters<ErasureKnowledge['within']>[0] {
    return { row: { erasuresRevision: revision, erasureKey: key }, rows: () => this.#read() };
  }

  #read<R>(): Promise<readonly R[]> {
    this.reads++;
    return Promise.resolve(this.erasures as unknown as readonly R[]);
  }
}

describe('What a server knows of erasures in a PostgreSQL', () => {
  let site: Site;
  let known: ErasureKnowledge;

  beforeEach(() => {
    [site, known] = [new Site(), new ErasureKnowledge()];
  });

  const load = (revision: number): Promise<void> => known.load(site.connection, rowOf(revision));
  const untilOf = (id: typeof ada): number | undefined => known.index.of(id)[0]?.until;

  it('is of a revision, and of none at first', async () => {
    assert.deepEqual([known.isOf(rowOf(-1)), known.isOf(rowOf(0))], [true, false]);
    await load(7);
    assert.deepEqual([known.isOf(rowOf(7)), known.isOf(rowOf(8))], [true, false]);
  });

  it('is the later one of two states that are read at the same time', async () => {
    site.erasures = [erasureOf(ada)];
    await load(3);
    site.erasures = [];
    await load(2);
    assert.equal(untilOf(ada), 100);
    assert.equal(known.isOf(rowOf(3)), true);
    // The same state again, which has more since.
    site.erasures = [erasureOf(ada), erasureOf(bob)];
    await load(3);
    assert.equal(untilOf(bob), 100);
  });

  it('is read within a transaction only if another server has erased somebody', async () => {
    site.erasures = [erasureOf(ada)];
    assert.equal((await known.within(site.transaction(0))).of(ada)[0], undefined);
    await load(4);
    assert.equal(await known.within(site.transaction(4)), known.index);
    assert.equal(site.reads, 1);
    site.erasures = [erasureOf(ada), erasureOf(bob)];
    const transaction = site.transaction(5);
    assert.equal((await known.within(transaction)).of(bob)[0]?.until, 100);
    await known.within(transaction);
    assert.equal(site.reads, 2);
    // It may erase more itself.
    known.forget(transaction);
    await known.within(transaction);
    assert.equal(site.reads, 3);
    await known.within(site.transaction(6));
    assert.equal(site.reads, 4);
    assert.equal(untilOf(bob), undefined);
  });

  it('refuses within a transaction what was only asked for as well', async () => {
    const answer = known.index.ask([erasureOf(bob)]);
    site.erasures = [erasureOf(ada)];
    const index = await known.within(site.transaction(9));
    const refused = (): readonly boolean[] => [ada, bob].map((id) => index.isRefused(id, toTimestamp(100)));
    assert.deepEqual(refused(), [true, true]);
    answer();
    assert.deepEqual(refused(), [true, false]);
  });

  it('has the key of the site', async () => {
    await load(1);
    assert.equal(known.index.key, key);
    assert.equal((await known.within(site.transaction(2))).key, key);
  });
});

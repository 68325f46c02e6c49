import { expect } from 'chai';
import { RepresentationCache, type Resource } from '../src/representation-cache.js';

/** Something with a revision that a test changes, and reads that it lets finish. */
class Shelf implements Resource {
  readonly key: string;
  content = 'one';
  reads = 0;
  gate: Promise<unknown> = Promise.resolve();

  constructor(key = 'shelf') {
    this.key = key;
  }

  readonly revision = (): Promise<string> => Promise.resolve(this.content);

  readonly render = async (): Promise<string | undefined> => {
    this.reads++;
    const content = this.content;
    await this.gate;
    return JSON.stringify(content);
  };
}

const textOf = async (cache: RepresentationCache, shelf: Resource): Promise<string | undefined> =>
  (await cache.get(shelf))?.body.toString();

describe('RepresentationCache', () => {
  it('hands out the same bytes while the revision stays', async () => {
    const cache = new RepresentationCache(10_000);
    const shelf = new Shelf();
    expect(await cache.get(shelf)).to.equal(await cache.get(shelf));
    expect(shelf.reads).to.equal(1);
  });

  it('reads anew when the revision changes', async () => {
    const cache = new RepresentationCache(10_000);
    const shelf = new Shelf();
    expect(await textOf(cache, shelf)).to.equal('"one"');
    shelf.content = 'two';
    expect(await textOf(cache, shelf)).to.equal('"two"');
    expect(shelf.reads).to.equal(2);
  });

  it('reads once for all who ask at the same time', async () => {
    const cache = new RepresentationCache(10_000);
    const shelf = new Shelf();
    await Promise.all(Array.from({ length: 20 }, () => cache.get(shelf)));
    expect(shelf.reads).to.equal(1);
  });

  it('does not let who asks after a change share a read from before it', async () => {
    const cache = new RepresentationCache(10_000);
    const shelf = new Shelf();
    let release: (value?: unknown) => void = () => undefined;
    shelf.gate = new Promise((resolve) => (release = resolve));
    const before = textOf(cache, shelf);
    await shelf.revision();
    await shelf.revision();
    shelf.content = 'two';
    shelf.gate = Promise.resolve();
    expect(await textOf(cache, shelf)).to.equal('"two"');
    release();
    expect(await before).to.equal('"one"');
    expect(await textOf(cache, shelf)).to.equal('"two"');
  });

  it('does not keep a failure', async () => {
    const cache = new RepresentationCache(10_000);
    const shelf = new Shelf();
    shelf.gate = Promise.reject(new Error('unreadable'));
    const failures = await Promise.allSettled([cache.get(shelf), cache.get(shelf)]);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    shelf.gate = Promise.resolve();
    expect(await textOf(cache, shelf)).to.equal('"one"');
  });

  it('does not keep what is not there', async () => {
    const cache = new RepresentationCache(10_000);
    let reads = 0;
    const nothing = { key: 'x', revision: async () => '0', render: async () => void reads++ };
    expect(await cache.get(nothing)).to.equal(undefined);
    expect(await cache.get(nothing)).to.equal(undefined);
    expect(reads).to.equal(2);
  });

  it('forgets what was not asked for the longest when it is full', async () => {
    const cache = new RepresentationCache(3_000);
    const shelves = ['a', 'b', 'c'].map((key) => new Shelf(key));
    for (const shelf of shelves) {
      shelf.content = 'x'.repeat(800);
      await cache.get(shelf);
    }
    for (const shelf of shelves.toReversed()) await cache.get(shelf);
    expect(shelves.map(({ reads }) => reads)).to.deep.equal([2, 1, 1]);
  });

  it('serves what is too large to be kept', async () => {
    const cache = new RepresentationCache(1_000);
    const shelf = new Shelf();
    shelf.content = 'x'.repeat(2_000);
    await cache.get(shelf);
    expect((await cache.get(shelf))?.body.length).to.equal(2_002);
    expect(shelf.reads).to.equal(2);
  });
});

import { parseTallyId, toTimestamp } from '@tallybook/domain';
import { ErasureIndex, type Erasure, type TagDigests } from '@tallybook/domain/record';
import { expect } from 'chai';

const [ada, bob] = [parseTallyId('04A2B3C4D5'), parseTallyId('0006547886')];
const END = toTimestamp(2_000_000_000);

/** Digests that are readable, with a count of the calls. */
class PlainDigests implements TagDigests {
  asked: string[] = [];
  keys = 0;

  newKey(): string {
    return `new ${++this.keys}`;
  }

  digestOf(key: string, id: string): string {
    const digest = `${key} ${id}`;
    this.asked.push(digest);
    return digest;
  }
}

const erasure = (key: string, id: string, until = 9, from = 0): Erasure => ({
  ...{ key, digest: `${key} ${id}`, from: toTimestamp(from), until: toTimestamp(until), expiresAt: END },
});

describe('ErasureIndex', () => {
  let digests: PlainDigests;
  const askedBy = (work: () => unknown): readonly string[] => {
    digests.asked = [];
    work();
    return digests.asked;
  };

  beforeEach(() => (digests = new PlainDigests()));

  it('computes one digest of a tag and a key for any number of look-ups', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada), erasure('b', bob)]);
    expect(askedBy(() => index.of(ada))).to.deep.equal([`a ${ada}`, `b ${ada}`]);
    expect(askedBy(() => index.of(ada))).to.deep.equal([]);
    expect(index.of(ada)[0]).to.include({ key: 'a' });
    expect(askedBy(() => index.of(bob))).to.have.lengthOf(2);
  });

  it('computes again only for keys with a new erasure', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada), erasure('b', bob)]);
    index.of(ada);
    index.put(erasure('b', ada, 20));
    expect(askedBy(() => index.of(ada))).to.deep.equal([`b ${ada}`]);
    expect(index.of(ada).at(-1)?.until).to.equal(20);
    index.put(erasure('b', ada, 30));
    expect(askedBy(() => index.of(ada))).to.deep.equal([]);
    expect(index.of(ada).at(-1)?.until).to.equal(30);
  });

  it('does not find a removed erasure, and finds it when it is added again', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada)]);
    index.of(ada);
    index.remove(erasure('a', ada));
    expect(index.of(ada)).to.deep.equal([]);
    index.put(erasure('a', ada));
    expect(index.of(ada)[0]).to.include({ key: 'a' });
  });

  it('uses the results of another index of the same erasures', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada), erasure('b', bob)]);
    for (const id of [ada, bob]) index.of(id);
    const other = index.with([erasure('a', ada, 40), erasure('c', bob)]);
    expect(askedBy(() => other.of(ada))).to.deep.equal([`c ${ada}`]);
    expect(other.of(ada).at(-1)?.until).to.equal(40);
    expect(other.of(bob)[0]).to.include({ key: 'c' });
    expect(index.of(bob)[0]).to.include({ key: 'b' });
  });

  it('remembers 8,192 tags, more than a batch has, and forgets the oldest first', () => {
    const index = new ErasureIndex(digests, [erasure('a', bob)]);
    const idOf = (n: number) => parseTallyId(`04${n.toString(16).padStart(8, '0')}`);
    for (let n = 0; n <= 8_192; n++) index.of(idOf(n));
    expect(askedBy(() => index.of(idOf(1)))).to.have.lengthOf(0);
    expect(askedBy(() => index.of(idOf(0)))).to.have.lengthOf(1);
  });

  it('has several erasures of a tag, and refuses what any of them refuses', () => {
    const index = new ErasureIndex(digests, [
      erasure('a', ada, 20, 10),
      erasure('a', ada, 50, 40),
      erasure('b', ada, 70, 60),
    ]);
    const refused = [9, 10, 20, 21, 40, 51, 60, 70, 71].filter((at) => index.isRefused(ada, toTimestamp(at)));
    expect(refused).to.deep.equal([10, 20, 40, 60, 70]);
    expect([index.isRefused(ada, undefined), index.isRefused(bob, undefined)]).to.deep.equal([true, false]);
    index.remove(erasure('a', ada, 20, 10));
    expect(index.of(ada).map(({ from }) => from)).to.deep.equal([40, 60]);
    expect([index.size, index.all.length]).to.deep.equal([2, 2]);
    index.remove(erasure('a', ada, 20, 10));
    expect(index.size).to.equal(2);
  });

  it('refuses what was asked for, also after its stored erasures were replaced, until that is answered', () => {
    const index = new ErasureIndex(digests);
    const answer = index.ask([erasure('a', ada, 20)]);
    const other = index.with([erasure('b', bob)]);
    index.replace([]);
    const refusing = (): readonly boolean[] =>
      [index, other].map((each) => each.isRefused(ada, toTimestamp(20)));
    expect(refusing()).to.deep.equal([true, true]);
    expect(index.isEmpty).to.equal(false);
    answer();
    expect(refusing()).to.deep.equal([false, false]);
    expect([index.isEmpty, other.isEmpty]).to.deep.equal([true, false]);
  });

  it('names all erasures of a site under one key, whatever other keys there are', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada)]);
    expect([ada, bob].map((id) => index.nameOf(id))).to.deep.equal(
      [ada, bob].map((id) => ({ key: 'new 1', digest: `new 1 ${id}` })),
    );
    expect([...index.keys]).to.deep.equal(['new 1', 'a']);
    index.key = 'b';
    expect(index.with([]).nameOf(ada).key).to.equal('b');
  });
});

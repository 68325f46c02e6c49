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

const erasure = (key: string, id: string, until = 9): Erasure => ({
  ...{ key, digest: `${key} ${id}`, until: toTimestamp(until), expiresAt: END },
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
    expect(askedBy(() => index.find(ada))).to.deep.equal([`a ${ada}`, `b ${ada}`]);
    expect(askedBy(() => index.find(ada))).to.deep.equal([]);
    expect(index.find(ada)).to.include({ key: 'a' });
    expect(askedBy(() => index.find(bob))).to.have.lengthOf(2);
  });

  it('computes again only for keys with a new erasure', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada), erasure('b', bob)]);
    index.find(ada);
    index.put(erasure('b', ada, 20));
    expect(askedBy(() => index.find(ada))).to.deep.equal([`b ${ada}`]);
    expect(index.find(ada)?.until).to.equal(20);
    index.put(erasure('b', ada, 30));
    expect(askedBy(() => index.find(ada))).to.deep.equal([]);
    expect(index.find(ada)?.until).to.equal(30);
  });

  it('does not find a removed erasure, and finds it when it is added again', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada)]);
    index.find(ada);
    index.remove(erasure('a', ada));
    expect(index.find(ada)).to.equal(undefined);
    index.put(erasure('a', ada));
    expect(index.find(ada)).to.include({ key: 'a' });
  });

  it('uses the results of another index of the same erasures', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada), erasure('b', bob)]);
    for (const id of [ada, bob]) index.find(id);
    const other = index.with([erasure('a', ada, 40), erasure('c', bob)]);
    expect(askedBy(() => other.find(ada))).to.deep.equal([`c ${ada}`]);
    expect(other.find(ada)?.until).to.equal(40);
    expect(other.find(bob)).to.include({ key: 'c' });
    expect(index.find(bob)).to.include({ key: 'b' });
  });

  it('remembers 8,192 tags, more than a batch has, and forgets the oldest first', () => {
    const index = new ErasureIndex(digests, [erasure('a', bob)]);
    const idOf = (n: number) => parseTallyId(`04${n.toString(16).padStart(8, '0')}`);
    for (let n = 0; n <= 8_192; n++) index.find(idOf(n));
    expect(askedBy(() => index.find(idOf(1)))).to.have.lengthOf(0);
    expect(askedBy(() => index.find(idOf(0)))).to.have.lengthOf(1);
  });

  it('uses one new key for tags that are erased together, and another one for later tags after it was forgotten', () => {
    const index = new ErasureIndex(digests);
    const names = [ada, bob].map((id) => index.nameOf(id));
    expect(names.map(({ key }) => key)).to.deep.equal(['new 1', 'new 1']);
    for (const id of [ada, bob]) index.put(erasure('new 1', id));
    for (const id of [ada, bob]) index.remove(erasure('new 1', id));
    expect(index.nameOf(ada).key).to.equal('new 2');
  });

  it('leaves out erasures whose digest is known, or comes earlier in the list, under another key', () => {
    const index = new ErasureIndex(digests, [erasure('a', ada)]);
    const { digest } = erasure('a', ada);
    const [a, b, c] = [
      { key: 'a', digest },
      { key: 'b', digest },
      { key: 'c', digest },
    ] as const;
    expect(index.untaken([b, a, c, a])).to.deep.equal([a, a]);
    index.remove({ key: 'a', digest });
    expect(index.untaken([b, a, c, b])).to.deep.equal([b, b]);
  });
});

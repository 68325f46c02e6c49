import { expect } from 'chai';
import { compareSizes, readTable } from '../packages/sizes.mjs';

type Sizes = Readonly<Record<'tarball' | 'unpacked' | 'packages' | 'installed', number>>;

describe('sizes of packages', () => {
  const listed = readTable();
  const server = '@tallybook/server';
  const compare = (name: string, change: (sizes: Sizes) => Partial<Sizes>): readonly string[] => {
    const sizes = listed.get(name);
    if (sizes === undefined) throw new Error(`${name} is not listed`);
    return compareSizes(new Map(listed).set(name, { ...sizes, ...change(sizes) }));
  };

  it('are what is listed, or less', () => {
    expect(compare(server, () => ({}))).to.deep.equal([]);
    expect(compare(server, ({ unpacked }) => ({ unpacked: unpacked / 2 }))).to.deep.equal([]);
    expect(compare(server, ({ tarball }) => ({ tarball: Math.round(tarball * 1.04) }))).to.deep.equal([]);
  });

  for (const what of ['tarball', 'unpacked', 'packages', 'installed'] as const) {
    it(`are too large when ${what} has grown by more than 5 %`, () => {
      expect(compare(server, (sizes) => ({ [what]: Math.ceil(sizes[what] * 1.1) }))).to.have.length(1);
    });
  }

  it('are too large when a package that needs nothing needs another', () => {
    expect(compare('@tallybook/domain', () => ({ packages: 2 }))).to.deep.equal([
      '@tallybook/domain, packages installed: 2, listed are 1',
    ]);
  });

  it('are listed for each package that is published, and for no other', () => {
    const sizes = { tarball: 1, unpacked: 1, packages: 1, installed: 1 };
    const measured = new Map(listed).set('@tallybook/new', sizes);
    measured.delete(server);
    expect(compareSizes(measured)).to.deep.equal([
      'docs/reference/packages.md lists @tallybook/server, which is not published',
      'docs/reference/packages.md does not list @tallybook/new',
    ]);
  });
});

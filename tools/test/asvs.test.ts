import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { tableRows } from './fixtures/table-rows.js';
import { read, root } from './fixtures/read-project.js';

const text = read('docs/reference/asvs.md');

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has, by chapter. */
const chapters: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  1: { 1: 2, 2: 9, 3: 11, 4: 3, 5: 2 },
  2: { 1: 3, 2: 3, 3: 4, 4: 1 },
  3: { 2: 2, 3: 4, 4: 6, 5: 5, 7: 2 },
  4: { 1: 3, 2: 1, 3: 2, 4: 4 },
  5: { 1: 1, 2: 3, 3: 2, 4: 3 },
  6: { 1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4 },
  7: { 1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2 },
  8: { 1: 2, 2: 3, 3: 1, 4: 1 },
  9: { 1: 3, 2: 4 },
  10: { 1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3 },
  11: { 1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1 },
  12: { 1: 3, 2: 2, 3: 4 },
  13: { 1: 1, 2: 5, 3: 2, 4: 5 },
  14: { 1: 2, 2: 4, 3: 3 },
  15: { 1: 3, 2: 3, 3: 7 },
  16: { 1: 1, 2: 5, 3: 4, 4: 3, 5: 3 },
  17: { 1: 1, 2: 4, 3: 2 },
};
const required = Object.entries(chapters).flatMap(([chapter, sections]) =>
  Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${chapter}.${section}.${index + 1}`),
  ),
);
const rows = tableRows(text).filter(([id = '']) => /^\d/.test(id));

function listSources(folder: string): readonly string[] {
  if (!existsSync(new URL(folder, root))) return [];
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path}`);
}

describe('the table of ASVS', () => {
  it('has each requirement of levels 1 and 2 once, in order', () => {
    expect(rows.map(([id]) => id)).to.deep.equal(required);
  });

  it('says of each whether it is met, and why', () => {
    const incomplete = rows.filter(
      ([, level = '', about, state = '', reason]) =>
        !/^[12]$/.test(level) ||
        !['met', 'not met', 'not applicable'].includes(state) ||
        about === '' ||
        reason === '',
    );
    expect(incomplete).to.deep.equal([]);
  });

  it('counts them as they are', () => {
    const count = (wanted: string): number => rows.filter(([, , , state]) => state === wanted).length;
    expect(text.replaceAll(/\s+/g, ' ')).to.include(
      `${count('met')} of ${rows.length} requirements are met, ${count('not met')} are not, and ${count('not applicable')} do not apply`,
    );
  });

  it('lists each file that uses a key as a use of cryptography', () => {
    const [, section = ''] = text.split('## Cryptography\n');
    // Only sources: to read the folders of installed packages takes minutes.
    const sources = readdirSync(new URL('packages', root)).flatMap((name) =>
      listSources(`packages/${name}/src`),
    );
    const uses = sources.filter((path) =>
      /\b(?:createHmac|createCipheriv|createSign|hkdfSync|scrypt)\(/.test(read(path)),
    );
    expect(uses).to.have.length.above(5);
    expect(uses.filter((path) => !section.includes(`\`${path}\``))).to.deep.equal([]);
  });

  it('names files that exist', () => {
    const named = [...text.matchAll(/`((?:packages|tools|docs)\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(new URL(path, root)))).to.deep.equal([]);
  });
});

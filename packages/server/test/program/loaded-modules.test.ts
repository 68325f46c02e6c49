import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const packages = new URL('../../../', import.meta.url);
/** These are loaded by the page alone. */
const OF_PAGE = ['client', 'web'];

describe('A module that a start loads', () => {
  // V8 looks up the characters of each property as soon as the expression is made: 0.2 to 0.9 ms of every start.
  it('makes no regular expression with properties of characters before it is used', () => {
    const made: string[] = [];
    for (const entry of readdirSync(packages, { withFileTypes: true })) {
      const { name } = entry;
      if (!entry.isDirectory() || OF_PAGE.includes(name)) continue;
      const sources = new URL(`${name}/src/`, packages);
      for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.ts')) continue;
        const text = readFileSync(new URL(file, sources), 'utf8');
        if (/^(?:export )?const \w+(?:: RegExp)? = \/.*\\p\{/m.test(text)) made.push(`${name}/src/${file}`);
      }
    }
    expect(made).to.deep.equal([]);
  });
});

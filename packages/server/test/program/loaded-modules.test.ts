import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';

const packages = new URL('../../../', import.meta.url);
/** Only the page loads these. */
const OF_PAGE = ['client', 'web'];

/** Regular expressions with properties of characters outside of functions: loading the module makes them. */
function madeByLoading(text: string): readonly string[] {
  if (!text.includes('\\p{')) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isRegularExpressionLiteral(node) && node.text.includes('\\p{')) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest));
  return found;
}

describe('A module that a start loads', () => {
  // V8 looks up the characters of each property when it makes the expression: 0.2 to 0.9 ms of every start.
  it('makes no regular expression with properties of characters before it is used', () => {
    const made: string[] = [];
    for (const entry of readdirSync(packages, { withFileTypes: true })) {
      const { name } = entry;
      if (!entry.isDirectory() || OF_PAGE.includes(name)) continue;
      const sources = new URL(`${name}/src/`, packages);
      for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.ts')) continue;
        const text = readFileSync(new URL(file, sources), 'utf8');
        made.push(...madeByLoading(text).map((expression) => `${name}/src/${file}: ${expression}`));
      }
    }
    expect(made).to.deep.equal([]);
  });

  it('would make them in lists and objects too, but not in functions', () => {
    const text = String.raw`
      const list = [[/\p{L}/u, 'letters']];
      class Kept { static readonly form = { of: /^\p{N}$/u }; sound(text: string) { return /\p{Cc}/u.test(text); } }
      const lazy = (): RegExp => /\p{M}/u;
      const plain = /a/;`;
    expect(madeByLoading(text)).to.deep.equal([String.raw`/\p{L}/u`, String.raw`/^\p{N}$/u`]);
  });
});

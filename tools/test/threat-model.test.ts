import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const document = new URL('../../docs/explanation/threat-model.md', import.meta.url);

/** The rows of the tables in a text, as lists of cells, without the heads. */
function rowsOf(text: string): string[][] {
  const lines = text.split('\n');
  return lines
    .filter((line, index) => /^\| (?!-)/.test(line) && !(lines[index + 1] ?? '').startsWith('| -'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const text = readFileSync(document, 'utf8');
/** The rows of all attackers; the first section, about protected data, has none. */
const stopped = text.split(/^## /m).slice(2).flatMap(rowsOf);

/** Whether a file has a test with this title that is not left out. */
function hasTest(file: URL, title: string): boolean {
  const quoted = title.replaceAll("'", "\\'");
  return [`it('${quoted}'`, `it("${title}"`].some((call) => readFileSync(file, 'utf8').includes(call));
}

describe('the threat model', () => {
  it('names a test that exists for all that it says is stopped', () => {
    expect(stopped.length).to.be.greaterThan(50);
    const unproved = stopped.filter(([, , proof = '']) => {
      const [, title, path] = /^\[(.+)\]\(([^)]+\.test\.ts)\)$/.exec(proof) ?? [];
      return title === undefined || path === undefined || !hasTest(new URL(path, document), title);
    });
    expect(unproved).to.deep.equal([]);
  });

  it('says of everybody what does not stop them', () => {
    const attackers = text.split(/^## /m).slice(2);
    expect(attackers.filter((each) => !/\*\*Does not stop (?:them|it):\*\*/.test(each))).to.deep.equal([]);
  });
});

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { tableRows } from './fixtures/table-rows.js';

const document = new URL('../../docs/explanation/threat-model.md', import.meta.url);

const text = readFileSync(document, 'utf8');
/** The rows of all attackers; the first section, about protected data, has none. */
const stopped = text.split(/^## /m).slice(2).flatMap(tableRows);

/** Whether a file has a test with this title that is not left out, and a group whose title has this subject. */
function hasTest(file: URL, subject: string, title: string): boolean {
  const source = readFileSync(file, 'utf8');
  const quoted = title.replaceAll("'", "\\'");
  const hasSubject = source
    .split('\n')
    .some((line) => /\bdescribe\w*\(/.test(line) && line.toLowerCase().includes(subject.toLowerCase()));
  const lines = source.split('\n').filter((line) => /^ *(?:it\w*|test)\(/.test(line));
  // A title of a table of cases begins with the same words for each of them.
  const begins = lines.flatMap((line) => /\(`([^$]{3,})\$/.exec(line)?.[1] ?? []);
  const isThere = lines.some((line) => line.includes(`('${quoted}'`) || line.includes(`("${title}"`));
  return hasSubject && (isThere || begins.some((start) => title.startsWith(start)));
}

describe('the threat model', () => {
  it('names a test that exists for all that it says is stopped', () => {
    expect(stopped.length).to.be.greaterThan(50);
    const unproved = stopped.filter(([, , proof = '']) => {
      const [, subject, title, path] = /^(.+) \[(.+)\]\(([^)]+\.test\.ts)\)$/.exec(proof) ?? [];
      if (subject === undefined || title === undefined || path === undefined) return true;
      return !hasTest(new URL(path, document), subject, title);
    });
    expect(unproved).to.deep.equal([]);
  });

  it('says of everybody what does not stop them', () => {
    const attackers = text.split(/^## /m).slice(2);
    expect(attackers.filter((each) => !/\*\*Does not stop (?:them|it):\*\*/.test(each))).to.deep.equal([]);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const decisions = new URL('docs/explanation/decisions/', root);
const MOST_LINES = 15;

const read = (file: URL): string => readFileSync(file, 'utf8');

/** The documents of the project, as paths from its top. */
function listDocuments(): string[] {
  const docs = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`);
  const packages = readdirSync(new URL('packages', root))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(new URL(path, root)));
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs, ...packages];
}

/** A document without its blocks of code: there, `#` begins a comment, and brackets are not links. */
const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```/gms, '');

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(text: string): string[] {
  const counts = new Map<string, number>();
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)/g, '')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** The links of a document into the project. */
const linksOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));

function isAlive(link: string, document: URL): boolean {
  const target = new URL(link, document);
  const anchor = decodeURIComponent(target.hash.slice(1));
  target.hash = '';
  if (!existsSync(target)) return false;
  return anchor === '' || anchorsOf(read(target)).includes(anchor);
}

describe('documents', () => {
  for (const path of listDocuments()) {
    it(`${path} has no dead link`, () => {
      const document = new URL(path, root);
      const dead = linksOf(read(document)).filter((link) => !isAlive(link, document));
      expect(dead).to.deep.equal([]);
    });
  }

  for (const path of listDocuments().filter((each) => /^docs\/(?:how-to|tutorials)\//.test(each))) {
    const text = read(new URL(path, root));
    const calls = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].filter(([, block = '']) =>
      /(?:^|[ '])tallybook [a-z]/m.test(block.replaceAll(/ -[ug] tallybook| tallybook:|.*systemctl.*/g, '')),
    );
    if (calls.length === 0 || path.endsWith('/run-a-command.md')) continue;
    it(`${path} says how to call tallybook`, () => {
      expect(linksOf(text).map((link) => link.split('#')[0])).to.include('run-a-command.md');
    });
  }

  it('of docs are all linked from the README or the index of decisions', () => {
    const linked = ['README.md', 'docs/explanation/decisions/README.md'].flatMap((path) =>
      linksOf(read(new URL(path, root))).map((link) => new URL(link, new URL(path, root)).pathname),
    );
    const unlisted = listDocuments().filter(
      (path) => path.startsWith('docs/') && !linked.includes(new URL(path, root).pathname),
    );
    expect(unlisted).to.deep.equal([]);
  });
});

describe('decisions', () => {
  const index = linksOf(read(new URL('README.md', decisions)));

  for (const name of readdirSync(decisions).filter((file) => file !== 'README.md')) {
    const text = read(new URL(name, decisions));

    it(`of ${basename(name, '.md')} have at most ${MOST_LINES} lines each`, () => {
      const long = text
        .split(/^## /m)
        .slice(1)
        .filter((entry) => !entry.includes('\n| ')) // a table is looked up, not read
        .map((entry) => entry.trim().split('\n').slice(2))
        .filter((lines) => lines.length > MOST_LINES)
        .map((lines) => lines[0]);
      expect(long).to.deep.equal([]);
    });

    it(`of ${basename(name, '.md')} are all in the index, in their order`, () => {
      const entries = anchorsOf(text)
        .slice(1)
        .map((anchor) => `${name}#${anchor}`);
      expect(index.filter((link) => link.startsWith(`${name}#`))).to.deep.equal(entries);
    });
  }
});

// Makes the tables of requests in docs/reference/http-api.md and access.md from the contract: `npm run reference` writes them.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { authorise, roles, type Role } from '../packages/domain/src/access/index.js';
import {
  operations,
  type Operation,
  type Operations,
  type Requirement,
} from '../packages/http-contract/src/index.js';
import { refusalsOf } from '../packages/http-contract/src/openapi.js';
import { formatPage } from './format-page.mjs';

const TABLE = /(?<=<!-- requests: npm run reference -->\n\n).*?(?=\n\n<!-- end of requests -->)/s;

/** Pages that explain requests. The section that names a request most often is its explanation. */
const EXPLAINING = ['http-api.md', 'sync-protocol.md', 'health.md', 'access.md'];

const all: readonly (readonly [string, Operation])[] = Object.entries(operations);

function fileOf(page: string): string {
  return fileURLToPath(new URL(`../docs/reference/${page}`, import.meta.url));
}

/** The present text of a page with such a table, and the expected text. */
export interface Reference {
  readonly page: string;
  readonly actual: string;
  readonly expected: string;
}

export async function httpReferences(): Promise<readonly Reference[]> {
  const texts = await Promise.all(EXPLAINING.map((page) => readFile(fileOf(page), 'utf8')));
  const sections = EXPLAINING.flatMap((page, index) => sectionsOf(page, texts[index] ?? ''));
  return [
    await referenceOf('http-api.md', [
      '| Request | What it does | Answers |',
      '| --- | --- | --- |',
      ...all.map(([address, operation]) => requestRow(address, operation, sections)),
    ]),
    await referenceOf('access.md', [
      `| Request | nobody | ${roles.join(' | ')} |`,
      `| --- | --- | ${roles.map(() => '---').join(' | ')} |`,
      ...accessRows(operations),
    ]),
  ];
}

/** The rows of the table of who may what. */
export function accessRows(of: Operations): readonly string[] {
  return Object.entries(of).flatMap(([address, { action }]) =>
    typeof action === 'string'
      ? [accessRow(address, '', action)]
      : Object.entries(action).map(([note, needed]) => accessRow(address, note, needed)),
  );
}

async function referenceOf(page: string, rows: readonly string[]): Promise<Reference> {
  const actual = await readFile(fileOf(page), 'utf8');
  if (!TABLE.test(actual)) throw new Error(`${page} has no place for the table of requests`);
  const table = (await formatPage(rows.join('\n'))).trim();
  return { page, actual, expected: actual.replace(TABLE, () => table) };
}

function accessRow(address: string, note: string, needed: Requirement): string {
  const may = (role: Role | 'nobody'): string => {
    if (needed === 'public') return 'yes';
    return role !== 'nobody' && (needed === 'signed-in' || authorise(role, needed)) ? 'yes' : '';
  };
  const cells = (['nobody', ...roles] as const).map(may);
  return `| \`${address}\`${note === '' ? '' : ` ${note}`} | ${cells.join(' | ')} |`;
}

interface Section {
  readonly link: string;
  readonly text: string;
}

/** The sections of a page, with links to them from http-api.md. */
function sectionsOf(page: string, text: string): readonly Section[] {
  return text
    .replace(TABLE, '')
    .split(/^(?=##+ )/m)
    .slice(1)
    .map((section) => {
      const [title = ''] = section.split('\n');
      const anchor = title
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
      return { link: `${page === 'http-api.md' ? '' : page}#${anchor}`, text: section };
    });
}

function requestRow(address: string, operation: Operation, sections: readonly Section[]): string {
  const [method = '', path = ''] = address.split(' ');
  const written = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const mentions = ({ text }: Section, pattern: string): number =>
    text.match(new RegExp(`${pattern}(?![\\w/-])`, 'g'))?.length ?? 0;
  const example = path.replaceAll(/\{\w+\}/g, '[\\w-]+');
  // A request with its method says more than a path.
  const weight = (section: Section): number =>
    mentions(section, example) + mentions(section, `${method} ${example}`);
  const [section] = [...sections].sort((one, other) => weight(other) - weight(one));
  if (section === undefined || weight(section) === 0)
    throw new Error(`no page explains ${address}: describe it in docs/reference`);
  const { summary, answers } = operation;
  const statuses = Object.keys({ ...answers, ...refusalsOf(operation) }).join(', ');
  return `| [\`${method} ${written}\`](${section.link}) | ${summary.split('. ')[0]} | ${statuses} |`;
}

// Not awaited here, because a test imports this file: a file with `await` at the top level is loaded as an ES module, and
// all packages are then loaded a second time.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  void httpReferences().then((references) =>
    Promise.all(references.map(({ page, expected }) => writeFile(fileOf(page), expected))),
  );
}

// Makes the tables of requests in docs/reference/http-api.md and access.md from the contract: `npm run reference` writes them.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { actions, authorise, mayDo, roles, type Role } from '../packages/domain/src/access/index.js';
import {
  operations,
  type Operation,
  type Operations,
  type Requirement,
} from '../packages/http-contract/src/index.js';
import { refusalsOf } from '../packages/http-contract/src/openapi.js';
import { tableOf } from './format-page.mjs';

/** Who asks: a role, or nobody. */
export type Asker = Role | 'nobody';
export const askers: readonly Asker[] = ['nobody', ...roles];

/** The column of those who are bound to groups: they need this beside their role. */
const IN_GROUPS = 'in groups';

/** Pages that explain requests. The section that names a request most often is its explanation. */
const EXPLAINING = ['http-api.md', 'sync-protocol.md', 'health.md', 'access.md'];

const all: readonly (readonly [string, Operation])[] = Object.entries(operations);

/** The tables of requests and rights, as they are and as they should be. */
export async function httpTables(): Promise<readonly Awaited<ReturnType<typeof tableOf>>[]> {
  const texts = await Promise.all(
    EXPLAINING.map((page) => readFile(new URL(`../docs/reference/${page}`, import.meta.url), 'utf8')),
  );
  const sections = EXPLAINING.flatMap((page, index) => sectionsOf(page, texts[index] ?? ''));
  return [
    await tableOf('http-api.md', 'requests', [
      ['Request', 'What it does', 'Answers'],
      ...all.map(([address, operation]) => requestRow(address, operation, sections)),
    ]),
    await tableOf('access.md', 'requests', [['Request', ...askers, IN_GROUPS], ...accessRows(operations)]),
    await tableOf('access.md', 'rights', [
      ['What', ...roles, IN_GROUPS],
      ...actions.map((action) => [
        ...[`\`${action}\``, ...roles.map((role) => yes(authorise(role, action)))],
        yes(mayDo({ role: 'admin', groups: [] }, action)),
      ]),
    ]),
  ];
}

/** The rows of the table of who may what. */
export function accessRows(of: Operations): readonly (readonly string[])[] {
  return Object.entries(of).flatMap(([address, { action, isByGroup }]) =>
    Object.entries(typeof action === 'string' ? { '': action } : action).map(([note, needed]) => [
      `\`${address}\` ${note}`.trim(),
      ...askers.map((asker) => yes(isAllowed(asker, needed))),
      yes(isAllowedInGroups(needed, isByGroup)),
    ]),
  );
}

/** Whether somebody has what a request needs. */
export function isAllowed(asker: Asker, needed: Requirement): boolean {
  if (needed === 'public') return true;
  return asker !== 'nobody' && (needed === 'signed-in' || authorise(asker, needed));
}

/** Whether somebody who is bound to groups may send a request, if their role may. */
export function isAllowedInGroups(needed: Requirement, isByGroup = false): boolean {
  if (needed === 'public') return true;
  return isByGroup && (needed === 'signed-in' || mayDo({ role: 'admin', groups: [] }, needed));
}

function yes(is: boolean): string {
  return is ? 'yes' : '';
}

interface Section {
  readonly link: string;
  readonly text: string;
}

/** The sections of a page, with links to them from http-api.md. */
function sectionsOf(page: string, text: string): readonly Section[] {
  return text
    .replace(/<!-- requests: .*<!-- end of requests -->/s, '')
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

function requestRow(address: string, operation: Operation, sections: readonly Section[]): readonly string[] {
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
  return [`[\`${method} ${written}\`](${section.link})`, summary.split('. ')[0] ?? '', statuses];
}

// Not awaited here, because a test imports this file: a file with `await` at the top level is loaded as an ES module, and
// all packages are then loaded a second time.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  void httpTables().then(async (tables) => {
    for (const { write } of tables) await write();
  });
}

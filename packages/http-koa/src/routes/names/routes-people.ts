import type Koa from 'koa';
import {
  Gate,
  type ListedChange,
  type ListedName,
  type NameListReport,
  type NameService,
  type RefusedLine,
} from '@tallybook/domain';
import { principalOf } from '../../access/principal-of.js';
import { requireStill } from '../../held-right.js';
import type { Answers } from '../../answers/answers.js';
import { statusOf } from '../../answers/error-map.js';
import { sendProblem } from '../../answers/problem.js';
import { createRepresentation } from '../../answers/representation.js';
import { choice } from '../../requests/choice.js';
import { Query } from '../../requests/query.js';
import { readFile } from '../../requests/read-file.js';
import type { Route } from '../route.js';
import type { NameListeners } from './routes-mapping.js';

/** Allowed types of a request with a list. The form of the list is recognised by its bytes. */
export const LIST_TYPES: readonly string[] = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/jsonl',
  'application/x-ndjson',
];

/** Number of lists that are taken at a time; others wait. Each takes about ten megabytes. */
const LISTS_AT_A_TIME = 4;

/** `POST /api/people`: takes names from a list, such as the list of members of a club. */
export function peopleRoutes(
  names: NameService,
  answers: Answers,
  { report, audit }: NameListeners = {},
): readonly Route[] {
  const places = new Gate(LISTS_AT_A_TIME);
  const importList = async (ctx: Koa.Context): Promise<NameListReport> => {
    const isDryRun = choice(ctx, new Query(ctx), 'dry-run', ['1', '0']) === '1';
    const { bytes } = await readFile(ctx, LIST_TYPES);
    // Loaded at the first list, so that the start does not wait for it.
    const { readNameList } = await import('@tallybook/spreadsheets');
    async function* lines(): AsyncGenerator<ListedName, void, undefined> {
      yield* readNameList(bytes);
      // Nothing is written before the last line is read.
      requireStill(ctx);
    }
    return names.importList(lines(), { isDryRun });
  };
  const take = async (ctx: Koa.Context): Promise<void> => {
    const { isDryRun, added, changed, same, changes, refused } = await places.run(() => importList(ctx));
    const [first] = refused;
    if (first !== undefined && !isDryRun) {
      sendRefusal(ctx, first, refused);
      return;
    }
    if (!isDryRun && changes.length > 0) {
      report?.({ added, changed, removed: 0 });
      await audit?.note(principalOf(ctx).name, 'names-imported', { added, changed });
    }
    const told = { dryRun: isDryRun, added, changed, same, changes: changes.map(formatChange), refused };
    await answers.sendWhole(ctx, createRepresentation(Buffer.from(JSON.stringify(told)), undefined));
  };
  return [{ method: 'POST', path: '/api/people', action: 'change-names', handle: take }];
}

function formatChange({ line, id, before, after }: ListedChange): object {
  return { line, id, before: before ?? null, after };
}

function sendRefusal(
  ctx: Koa.Context,
  { line, message }: RefusedLine,
  refused: readonly RefusedLine[],
): void {
  const others = refused.length === 1 ? '' : `; ${refused.length - 1} more`;
  sendProblem(ctx, {
    status: statusOf.INVALID_NAME_LIST,
    code: 'INVALID_NAME_LIST',
    detail: `nothing was written, because lines were refused: line ${line}: ${message}${others}`,
    members: { refused },
  });
}

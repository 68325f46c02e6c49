import type Koa from 'koa';
import type { MappingStore } from '@tallybook/domain';
import {
  Gate,
  importNameList,
  type ListedChange,
  type NameListReport,
  type RefusedLine,
  type TagFinder,
} from '@tallybook/domain/record';
import { LIST_TYPES } from '@tallybook/http-contract';
import type { ListReading } from '@tallybook/spreadsheets';
import { principalOf } from '../../access/principal-of.js';
import { requireStill } from '../../held-right.js';
import type { Answers } from '../../answers/answers.js';
import { statusOf } from '../../error-map.js';
import { sendProblem } from '../../problem.js';
import { toRepresentation } from '../../answers/representation.js';
import { oneOfTexts } from '../../requests/parsers.js';
import { preferredLanguage } from '../../requests/query.js';
import { readFile } from '../../requests/read-file.js';
import type { Handlers, RequestOf } from '../implement.js';
import type { NameListeners } from './routes-mapping.js';

/** Number of lists that are taken at a time; others wait. Each takes about ten megabytes. */
const LISTS_AT_A_TIME = 4;

/** Takes names from a list, such as the list of members of a club. */
export function nameListHandlers(
  names: MappingStore,
  tags: TagFinder,
  answers: Answers,
  { report, audit }: NameListeners = {},
): Handlers<'POST /api/people'> {
  const places = new Gate(LISTS_AT_A_TIME);
  const importList = async ({
    ctx,
    query,
  }: RequestOf<'POST /api/people'>): Promise<NameListReport & { readonly reading: object }> => {
    // Loaded at the first list, so that the start does not wait for it.
    const { encodings, namedTags, readNameList, remarksOf } = await import('@tallybook/spreadsheets');
    const isDryRun = query['dry-run'] === '1';
    const choices = {
      encoding:
        query.encoding === undefined ? undefined : oneOfTexts(ctx, 'encoding', query.encoding, encodings),
      id: query['id-column'],
      first: query['first-column'],
      last: query['last-column'],
    };
    const language = preferredLanguage(ctx);
    const { bytes } = await readFile(ctx, LIST_TYPES);
    const lines = readNameList(bytes, choices);
    const confirm = (): void => requireStill(ctx);
    const report = await importNameList(names, namedTags(lines), {
      isDryRun,
      tags,
      format: query.format,
      confirm,
    });
    return { ...report, reading: formatReading(lines.reading, remarksOf(lines.reading, language)) };
  };
  return {
    'POST /api/people': async (request) => {
      const { ctx } = request;
      const { isDryRun, added, changed, same, changes, refused, reading } = await places.run(() =>
        importList(request),
      );
      const [first] = refused;
      if (first !== undefined && !isDryRun) {
        sendRefusal(ctx, first, { refused, reading });
        return;
      }
      if (!isDryRun && changes.length > 0) {
        report?.({ added, changed, removed: 0 });
        await audit?.note(principalOf(ctx).name, 'names-imported', { added, changed });
      }
      const formatted = changes.map(formatChange);
      const body = { isDryRun, added, changed, same, changes: formatted, refused, reading };
      await answers.sendWhole(ctx, toRepresentation([Buffer.from(JSON.stringify(body))], undefined));
    },
  };
}

function formatChange({ line, id, before, after, ...read }: ListedChange): object {
  return { line, id, before: before ?? null, after, ...read };
}

/** Words of a guess that are shown. */
const MOST_WORDS = 5;

function formatReading(reading: ListReading, remarks: readonly string[]): object {
  const { encoding, guesses, titles, columns, withoutTag } = reading;
  const number = (index: number | undefined): number | null => (index === undefined ? null : index + 1);
  return {
    encoding,
    guesses: guesses.map((guess) => ({ ...guess, words: guess.words.slice(0, MOST_WORDS) })),
    titles,
    columns: { id: number(columns.ids[0]), first: number(columns.first), last: number(columns.last) },
    withoutTag,
    remarks,
  };
}

function sendRefusal(
  ctx: Koa.Context,
  { line, message }: RefusedLine,
  members: { readonly refused: readonly RefusedLine[]; readonly reading: object },
): void {
  const { length } = members.refused;
  const others = length === 1 ? '' : `; ${length - 1} more`;
  sendProblem(ctx, {
    status: statusOf.INVALID_NAME_LIST,
    code: 'INVALID_NAME_LIST',
    detail: `nothing was written, because lines were refused: line ${line}: ${message}${others}`,
    members,
  });
}

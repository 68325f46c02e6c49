import type Koa from 'koa';
import { isTallybookError, parsePersonId, quote } from '@tallybook/domain';
import {
  Gate,
  type ImportReport,
  type PeopleImport,
  type RefusedLine,
  type RowChoice,
  type TagFinder,
} from '@tallybook/domain/record';
import { LIST_TYPES } from '@tallybook/http-contract';
import type { ListReading } from '@tallybook/spreadsheets';
import { principalOf } from '../../access/principal-of.js';
import { requireStill } from '../../held-right.js';
import type { Answers } from '../../answers/answers.js';
import { textFor } from '../../answers/json-of.js';
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

/** Takes persons from a list, such as the list of members of a club. */
export function nameListHandlers(
  imports: PeopleImport,
  tags: TagFinder,
  answers: Answers,
  { report: reportChanges, audit }: NameListeners = {},
): Handlers<'POST /api/people'> {
  const places = new Gate(LISTS_AT_A_TIME);
  const importList = async ({
    ctx,
    query,
  }: RequestOf<'POST /api/people'>): Promise<ImportReport & { readonly reading: object }> => {
    // Loaded at the first list, so that the start does not wait for it.
    const { encodings, readNameList, remarksOf } = await import('@tallybook/spreadsheets');
    const language = preferredLanguage(ctx);
    const encoding =
      query.encoding === undefined ? undefined : oneOfTexts(ctx, 'encoding', query.encoding, encodings);
    const { bytes, fields } = await readFile(ctx, LIST_TYPES);
    const lines = readNameList(bytes, {
      ...{ encoding, sheet: query.sheet },
      ...{ id: query['id-column'], first: query['first-column'], last: query['last-column'] },
      ...{ number: query['number-column'], group: query['group-column'], person: query['person-column'] },
    });
    const found = await imports.import(lines, {
      tags,
      isDryRun: query['dry-run'] === '1',
      choices: choicesOf(ctx, fields.get('choices')),
      ...{ format: query.format, numbers: query.numbers },
      confirm: () => requireStill(ctx),
    });
    return { ...found, reading: formatReading(lines.reading, remarksOf(lines.reading, language)) };
  };
  return {
    'POST /api/people': async (request) => {
      const { ctx } = request;
      const found = await places.run(() => importList(request));
      const { isDryRun, refused, reading, new: added, changed } = found;
      const [first] = refused;
      if (first !== undefined && !isDryRun) {
        sendRefusal(ctx, first, { refused, reading });
        return;
      }
      if (!isDryRun && added + changed > 0) {
        reportChanges?.({ added, changed, removed: 0 });
        await audit?.note(principalOf(ctx).name, 'names-imported', { added, changed });
      }
      const body = Buffer.from(textFor('POST /api/people', found));
      await answers.sendWhole(ctx, toRepresentation([body], undefined));
    },
  };
}

const DIGITS = /^[1-9]\d{0,6}$/;

/** Reads the field of the form that says what is done with rows. */
function choicesOf(ctx: Koa.Context, text: string | undefined): ReadonlyMap<number, RowChoice> {
  if (text === undefined || text.trim() === '') return new Map();
  const refuse = (reason: string): never => ctx.throw(400, `choices: ${reason}`);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return refuse('must be JSON');
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse('must be an object, such as {"7":{"take":"skip"}}');
  const choices = new Map<number, RowChoice>();
  for (const [line, choice] of Object.entries(given)) {
    if (!DIGITS.test(line)) refuse(`must have lines of the list; got ${quote(line)}`);
    choices.set(
      Number(line),
      choiceOf(choice, (reason) => refuse(`line ${line}: ${reason}`)),
    );
  }
  return choices;
}

function choiceOf(choice: unknown, refuse: (reason: string) => never): RowChoice {
  const { take, rename, tags } = (choice ?? {}) as Readonly<Record<string, unknown>>;
  if (rename !== undefined && typeof rename !== 'boolean') return refuse('rename is true or false');
  if (tags !== undefined && tags !== 'add' && tags !== 'replace') return refuse('tags is "add" or "replace"');
  const rest: Omit<RowChoice, 'take'> = {
    ...(rename !== undefined && { rename }),
    ...(tags !== undefined && { tags }),
  };
  if (take === 'new' || take === 'skip') return { take, ...rest };
  try {
    return { take: parsePersonId(take), ...rest };
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return refuse(`take is "new", "skip" or the id of a person; got ${quote(take)}`);
  }
}

/** Words of a guess that are shown. */
const MOST_WORDS = 5;

function formatReading(reading: ListReading, remarks: readonly string[]): object {
  const { encoding, guesses, titles, columns, sheets, sheet, questions } = reading;
  const { ids, groups, first, last, number, person } = columns;
  const each = { id: ids[0], first, last, number, group: groups[0], person };
  return {
    encoding,
    guesses: guesses.map((guess) => ({ ...guess, words: guess.words.slice(0, MOST_WORDS) })),
    titles,
    columns: Object.fromEntries(
      Object.entries(each).map(([part, index]) => [part, index === undefined ? null : index + 1]),
    ),
    ...{ sheets, sheet },
    questions: questions.map(({ part, couldBe }) => ({ part, couldBe: couldBe.map((index) => index + 1) })),
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

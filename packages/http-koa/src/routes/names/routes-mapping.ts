import { randomUUID } from 'node:crypto';
import {
  parseName,
  TallybookError,
  type Association,
  type AuditNotes,
  type MappingSnapshot,
  type Name,
  type MappingStore,
} from '@tallybook/domain';
import type Koa from 'koa';
import { decidedReading, type NameCounts, type TagFinder } from '@tallybook/domain/record';
import { principalOf } from '../../access/principal-of.js';
import type { Answers, Resource } from '../../answers/answers.js';
import { sendEmpty } from '../../answers/representation.js';
import { requireStill } from '../../held-right.js';
import { formatOf, parseField, Query, requiredTagOfQuery } from '../../requests/query.js';
import { readJsonObject } from '../../requests/read-json.js';
import type { Route } from '../route.js';

const NAMES_OF_PIECE = 500;

/** Form of an answer with names: the text before and after them, and the text of each name. */
interface MappingForm {
  readonly open: string;
  readonly close: string;
  readonly format: (association: Association) => string;
}

/** The mapping at one moment, with a page of names in each piece. Disposes of the snapshot. */
async function* mappingPieces(
  snapshot: MappingSnapshot,
  { open, close, format }: MappingForm,
): AsyncGenerator<string, void, undefined> {
  await using names = snapshot;
  let head = open;
  for (let page; (page = await names.page(page?.at(-1)?.[0], NAMES_OF_PIECE)).length > 0; head = ',')
    yield head + page.map(format).join(',');
  yield head === open ? open + close : close;
}

/** Called with the number of names that were removed, or came in a list. */
export type ReportNamesChanged = (counts: NameCounts) => void;

/** Callbacks for changes of names. */
export interface NameListeners {
  readonly report?: ReportNamesChanged | undefined;
  readonly audit?: AuditNotes | undefined;
}

/** `GET`, `POST` and `DELETE /api/mapping`, and `GET /api/mappings`: which tag belongs to whom. */
export function mappingRoutes(
  names: MappingStore,
  tags: TagFinder,
  {
    answers,
    listAnswers,
    costlyAnswers,
  }: { readonly answers: Answers; readonly listAnswers: Answers; readonly costlyAnswers: Answers },
  { report, audit }: NameListeners = {},
): readonly Route[] {
  const whole = (key: string, form: MappingForm): Resource => ({
    key,
    revision: () => names.revision(),
    read: async () => mappingPieces(await names.snapshot(), form),
  });
  const mapping = whole('mapping', associationForm);
  const named = whole('mappings', idForm);

  const read = async (ctx: Koa.Context): Promise<void> => {
    const query = new Query(ctx);
    const [format, text] = [formatOf(ctx, query.text('format')), query.text('id')];
    if (text === undefined) return listAnswers.send(ctx, mapping);
    const readings = parseField('id', text, (value) => tags.typed.readings(value, format));
    const id = decidedReading(readings)?.id;
    if (id === undefined) {
      // An id with two readings is searched on all days.
      return costlyAnswers.send(ctx, {
        key: `mapping ${JSON.stringify([format, text])}`,
        // None is kept, because what it depends on has no revision.
        revision: () => Promise.resolve(randomUUID()),
        read: async () => {
          const found = await parseField('id', text, (value) => tags.find(value, format));
          return [formatName((await names.get(found)) ?? refuse())];
        },
      });
    }
    return answers.send(ctx, {
      key: `mapping ${id}`,
      revision: () => names.revision(),
      read: async () => [formatName((await names.get(id)) ?? refuse())],
    });
  };
  const assign = async (ctx: Koa.Context): Promise<void> => {
    const body = await readJsonObject(ctx);
    const format = formatOf(ctx, body['format']);
    const id = await parseField('id', body['id'], (text) => tags.find(text, format));
    const name = parseName(body['name']);
    // An id with two readings has to be looked up.
    requireStill(ctx);
    // The entry does not have the tag, because the erasure of a person removes nothing from the trail. It is written at
    // the same time as the name, so that both share one sync of the disk.
    const noted = audit?.note(principalOf(ctx).name, 'name-set');
    const [outcome] = await Promise.all([names.put(id, name), noted]);
    sendEmpty(ctx, outcome === 'added' ? 201 : 200);
  };
  const remove = async (ctx: Koa.Context): Promise<void> => {
    const id = await requiredTagOfQuery(ctx, new Query(ctx), tags);
    requireStill(ctx);
    if (!(await names.remove(id))) refuse();
    report?.({ added: 0, changed: 0, removed: 1 });
    await audit?.note(principalOf(ctx).name, 'name-removed');
    ctx.status = 204;
  };
  return [
    { method: 'GET', path: '/api/mapping', action: 'see-today', handle: read },
    { method: 'POST', path: '/api/mapping', action: 'change-names', handle: assign },
    { method: 'DELETE', path: '/api/mapping', action: 'change-names', handle: remove },
    {
      method: 'GET',
      path: '/api/mappings',
      action: 'see-today',
      handle: (ctx) => listAnswers.send(ctx, named),
    },
  ];
}

const associationForm: MappingForm = {
  open: '{',
  close: '}',
  // An object is not used: it would put an id such as 1000000000 before all others, because that is an array index.
  format: ([id, name]) => `"${id}":${formatName(name)}`,
};

const idForm: MappingForm = { open: '[', close: ']', format: ([id]) => `"${id}"` };

function formatName({ first, last }: Name): string {
  return JSON.stringify({ first, last });
}

function refuse(): never {
  throw new TallybookError('NAME_NOT_FOUND', 'the tag has no name');
}

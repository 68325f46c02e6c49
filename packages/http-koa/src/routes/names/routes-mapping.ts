import { randomUUID } from 'node:crypto';
import {
  TallybookError,
  type Association,
  type AuditNotes,
  type MappingSnapshot,
  type Name,
  type MappingStore,
} from '@tallybook/domain';
import { decidedReading, type NameCounts, type TagFinder } from '@tallybook/domain/record';
import { principalOf } from '../../access/principal-of.js';
import type { Answers, Resource } from '../../answers/answers.js';
import { requireStill } from '../../held-right.js';
import { parseField } from '../../requests/query.js';
import { emptyAnswer, type Handlers } from '../implement.js';

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

/** Which tag belongs to whom. */
export function mappingHandlers(
  names: MappingStore,
  tags: TagFinder,
  {
    answers,
    listAnswers,
    costlyAnswers,
  }: { readonly answers: Answers; readonly listAnswers: Answers; readonly costlyAnswers: Answers },
  { report, audit }: NameListeners = {},
): Handlers<'GET /api/mapping' | 'POST /api/mapping' | 'DELETE /api/mapping' | 'GET /api/mappings'> {
  const whole = (key: string, form: MappingForm): Resource => ({
    key,
    revision: () => names.revision(),
    read: async () => mappingPieces(await names.snapshot(), form),
  });
  const mapping = whole('mapping', associationForm);
  const named = whole('mappings', idForm);
  return {
    'GET /api/mapping': ({ ctx, query }) => {
      const { format, id: text } = query;
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
    },
    'POST /api/mapping': async ({ ctx, body: { id, name } }) => {
      // An id with two readings was looked up meanwhile, which takes time.
      requireStill(ctx);
      // The entry does not have the tag, because the erasure of a person removes nothing from the trail. It is written at
      // the same time as the name, so that both share one sync of the disk.
      const noted = audit?.note(principalOf(ctx).name, 'name-set');
      const [outcome] = await Promise.all([names.put(id, name), noted]);
      return outcome === 'added' ? emptyAnswer(201) : emptyAnswer(200);
    },
    'DELETE /api/mapping': async ({ ctx, query: { id } }) => {
      requireStill(ctx);
      if (!(await names.remove(id))) refuse();
      report?.({ added: 0, changed: 0, removed: 1 });
      await audit?.note(principalOf(ctx).name, 'name-removed');
      return emptyAnswer(204);
    },
    'GET /api/mappings': ({ ctx }) => listAnswers.send(ctx, named),
  };
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

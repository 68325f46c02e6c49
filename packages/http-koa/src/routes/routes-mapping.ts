import type Koa from 'koa';
import { parseTallyId, type MappingSnapshot, type NameService, type TallyId } from '@tallybook/domain';
import type { Answers } from '../answers/answers.js';
import { readJsonObject } from '../requests/read-json.js';
import { parseField } from '../requests/parse-field.js';
import type { Resource } from '../answers/renderings.js';
import { sendEmpty } from '../answers/representation.js';
import type { Piece, Place, Source } from '../answers/source.js';
import type { Route } from './route.js';

/** `GET` and `POST /api/mapping`: which tag belongs to whom. */
export function mappingRoutes(names: NameService, answers: Answers): readonly Route[] {
  const mapping: Resource = {
    key: 'mapping',
    revision: () => names.revision(),
    open: async () => new MappingSource(await names.snapshot()),
  };

  const assign = async (ctx: Koa.Context): Promise<void> => {
    const { id, name } = await readJsonObject(ctx);
    const outcome = await names.assign(parseField('id', id, parseTallyId), name);
    sendEmpty(ctx, outcome === 'added' ? 201 : 200);
  };
  return [
    { method: 'GET', path: '/api/mapping', handle: (ctx) => answers.send(ctx, mapping) },
    { method: 'POST', path: '/api/mapping', handle: assign },
  ];
}

const NAMES_OF_PIECE = 500;

/** The mapping as JSON, a page of names in a piece. */
class MappingSource implements Source {
  readonly heldBytes = 0;
  readonly #snapshot: MappingSnapshot;

  constructor(snapshot: MappingSnapshot) {
    this.#snapshot = snapshot;
  }

  async read(place: Place): Promise<Piece> {
    const page = await this.#snapshot.page(place as TallyId | undefined, NAMES_OF_PIECE);
    const head = place === undefined ? '{' : '';
    const last = page.at(-1);
    if (last === undefined) return { text: `${head}}` };
    // Not by way of an object, which would put an id such as 1000000000 before all others: it is an array index.
    const members = page.map(([id, { first, last }]) => `"${id}":${JSON.stringify({ first, last })}`);
    return { text: `${place === undefined ? '{' : ','}${members.join(',')}`, next: last[0] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#snapshot[Symbol.asyncDispose]();
  }
}

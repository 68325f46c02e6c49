import type Router from '@koa/router';
import { parseTallyId, type Mapping, type NameService } from '@tallybook/domain';
import { readJsonBody } from './json-body.js';
import { parseField } from './parse-field.js';
import type { RepresentationCache, Resource } from './representation-cache.js';
import { sendEmpty, sendRepresentation } from './representation.js';

/** `GET` and `POST /api/mapping`: which tag belongs to whom. */
export function addMappingRoutes(router: Router, names: NameService, cache: RepresentationCache): void {
  const mapping: Resource = {
    key: 'mapping',
    revision: () => names.revision(),
    render: async () => formatMapping(await names.read()),
  };

  router.get('/api/mapping', async (ctx) => {
    sendRepresentation(ctx, await cache.get(mapping));
  });

  router.post('/api/mapping', async (ctx) => {
    const { id, name } = await readJsonBody(ctx);
    const outcome = await names.assign(parseField('id', id, parseTallyId), name);
    sendEmpty(ctx, outcome === 'added' ? 201 : 200);
  });
}

/** Not by way of an object, which would put an id such as 1000000000 before all others: it is an array index. */
function formatMapping(mapping: Mapping): string {
  const members = Array.from(
    mapping,
    ([id, { first, last }]) => `"${id}":${JSON.stringify({ first, last })}`,
  );
  return `{${members.join(',')}}`;
}

import type Router from '@koa/router';
import type { Answers } from '../answers/answers.js';
import { tagOfBytes } from '../answers/entity-tags.js';
import { openApiDocument, type OpenApiDocument } from './openapi-document.js';
import { createRepresentation } from '../answers/representation.js';

/** `GET /api/openapi.json`: the interface, described for programs. Added last: it describes what the router has. */
export function addOpenApiRoutes(router: Router, answers: Answers): void {
  router.get('/api/openapi.json', (ctx) => answers.sendWhole(ctx, representation));
  const body = Buffer.from(JSON.stringify(describe(router)));
  const representation = createRepresentation(body, tagOfBytes(body));
}

function describe(router: Router): OpenApiDocument {
  const served = new Set(router.stack.map(({ path }) => path));
  const paths = Object.entries(openApiDocument.paths).filter(([path]) => served.has(path));
  return { ...openApiDocument, paths: Object.fromEntries(paths) };
}

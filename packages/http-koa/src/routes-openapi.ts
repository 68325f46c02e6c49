import type Router from '@koa/router';
import type { Answers } from './answers.js';
import { tagOfBytes } from './entity-tags.js';
import { openApiDocument } from './openapi-document.js';
import { createRepresentation } from './representation.js';

/** `GET /api/openapi.json`: the interface, described for programs. */
export function addOpenApiRoutes(router: Router, answers: Answers): void {
  const body = Buffer.from(JSON.stringify(openApiDocument));
  const representation = createRepresentation(body, tagOfBytes(body));
  router.get('/api/openapi.json', (ctx) => answers.sendWhole(ctx, representation));
}

import type Router from '@koa/router';
import { openApiDocument } from './openapi-document.js';
import { createRepresentation, sendRepresentation } from './representation.js';

/** `GET /api/openapi.json`: the interface, described for programs. */
export function addOpenApiRoutes(router: Router): void {
  const representation = createRepresentation(JSON.stringify(openApiDocument));
  router.get('/api/openapi.json', (ctx) => {
    sendRepresentation(ctx, representation);
  });
}

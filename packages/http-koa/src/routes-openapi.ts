import type Router from '@koa/router';
import { openApiDocument, type OpenApiDocument } from './openapi-document.js';
import { createRepresentation, sendRepresentation } from './representation.js';

/** `GET /api/openapi.json`: the interface, described for programs. Added last: it describes what the router has. */
export function addOpenApiRoutes(router: Router): void {
  router.get('/api/openapi.json', (ctx) => {
    sendRepresentation(ctx, representation);
  });
  const representation = createRepresentation(JSON.stringify(describe(router)));
}

function describe(router: Router): OpenApiDocument {
  const served = new Set(router.stack.map(({ path }) => path));
  const paths = Object.entries(openApiDocument.paths).filter(([path]) => served.has(path));
  return { ...openApiDocument, paths: Object.fromEntries(paths) };
}

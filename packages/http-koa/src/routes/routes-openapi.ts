import type { Answers } from '../answers/answers.js';
import { tagOfBytes } from '../answers/entity-tags.js';
import { openApiDocument, type OpenApiDocument } from './openapi-document.js';
import { createRepresentation } from '../answers/representation.js';
import type { Route } from './route.js';

const PATH = '/api/openapi.json';

/**
 * `GET /api/openapi.json`: the interface, described for programs.
 *
 * @param others What it describes beside itself.
 */
export function openApiRoutes(others: readonly Route[], answers: Answers): readonly Route[] {
  const body = Buffer.from(JSON.stringify(describe([PATH, ...others.map(({ path }) => path)])));
  const representation = createRepresentation(body, tagOfBytes(body));
  return [{ method: 'GET', path: PATH, handle: (ctx) => answers.sendWhole(ctx, representation) }];
}

function describe(served: readonly string[]): OpenApiDocument {
  const paths = Object.entries(openApiDocument.paths).filter(([path]) => served.includes(path));
  return { ...openApiDocument, paths: Object.fromEntries(paths) };
}

import type Koa from 'koa';
import type { Answers } from '../answers/answers.js';
import { tagOfBytes } from '../answers/entity-tags.js';
import { createRepresentation, type Representation } from '../answers/representation.js';
import { loadOnce } from '../load-once.js';
import type { Route } from './route.js';

const PATH = '/api/openapi.json';

/**
 * `GET /api/openapi.json`: the interface, described for programs.
 *
 * @param others What it describes beside itself.
 */
export function openApiRoutes(others: readonly Route[], answers: Answers): readonly Route[] {
  const served = [PATH, ...others.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))];
  // With the first request for it: a start does not pay for it.
  const description = loadOnce(() => describe(served));
  const send = async (ctx: Koa.Context): Promise<void> => answers.sendWhole(ctx, await description());
  return [{ method: 'GET', path: PATH, action: 'signed-in', handle: send }];
}

async function describe(served: readonly string[]): Promise<Representation> {
  const { openApiDocument } = await import('./openapi-document.js');
  const paths = Object.entries(openApiDocument.paths).filter(([path]) => served.includes(path));
  const body = Buffer.from(JSON.stringify({ ...openApiDocument, paths: Object.fromEntries(paths) }));
  return createRepresentation(body, tagOfBytes(body));
}

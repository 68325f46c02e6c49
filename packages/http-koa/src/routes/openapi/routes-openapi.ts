import type Koa from 'koa';
import type { Answers } from '../../answers/answers.js';
import { tagOfBytes } from '../../answers/entity-tags.js';
import { toRepresentation, type Representation } from '../../answers/representation.js';
import { loadOnce } from '../../load-once.js';
import type { Route } from '../route.js';

const PATH = '/api/openapi.json';

/**
 * `GET /api/openapi.json`: the description of the interface for programs.
 *
 * @param others The other routes to describe.
 */
export function openApiRoutes(others: readonly Route[], answers: Answers): readonly Route[] {
  // Made at the first request for it, so that the start does not wait for it.
  const description = loadOnce(() => describe([...others, own]));
  const send = async (ctx: Koa.Context): Promise<void> => answers.sendWhole(ctx, await description());
  const own: Route = { method: 'GET', path: PATH, action: 'signed-in', handle: send };
  return [own];
}

async function describe(routes: readonly Route[]): Promise<Representation> {
  const { openApiDocument } = await import('./openapi-document.js');
  const paths: Record<string, object> = {};
  for (const [path, operations] of Object.entries(openApiDocument.paths)) {
    const served = routes.filter((route) => documentedPath(route) === path);
    if (served.length > 0) paths[path] = withActions(operations, served);
  }
  const body = Buffer.from(JSON.stringify({ ...openApiDocument, paths }));
  return toRepresentation([body], tagOfBytes(body));
}

/** Adds to each operation the right that it needs. */
function withActions(operations: Readonly<Record<string, object>>, routes: readonly Route[]): object {
  const described = Object.entries(operations).map(([verb, operation]) => {
    const method = verb === 'head' ? 'GET' : verb.toUpperCase();
    const route = routes.find((each) => each.method === method);
    return [verb, route === undefined ? operation : { ...operation, 'x-action': actionsOf(route) }];
  });
  return Object.fromEntries(described) as object;
}

function actionsOf({ action, actions = [] }: Route): readonly string[] {
  return typeof action === 'function' ? actions : [action];
}

/** A `:name` of the router is `{name}` in the document. */
function documentedPath({ path }: Route): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

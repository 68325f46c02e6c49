import type { Operations } from '@tallybook/http-contract';
import type { Answers } from '../../answers/answers.js';
import { tagOfBytes } from '../../answers/entity-tags.js';
import { toRepresentation, type Representation } from '../../answers/representation.js';
import { loadOnce } from '../../load-once.js';
import { VERSION } from '../../version.js';
import type { Handlers } from '../implement.js';

/**
 * The description of the interface for programs.
 *
 * @param served The operations that this service has.
 */
export function openApiHandlers(
  served: () => Operations,
  answers: Answers,
): Handlers<'GET /api/openapi.json'> {
  // Made at the first request for it, so that the start does not wait for it.
  const description = loadOnce(() => describe(served()));
  return { 'GET /api/openapi.json': async ({ ctx }) => answers.sendWhole(ctx, await description()) };
}

async function describe(served: Operations): Promise<Representation> {
  const { describeOperations } = await import('@tallybook/http-contract/openapi');
  const body = Buffer.from(JSON.stringify(describeOperations(served, { version: VERSION })));
  return toRepresentation([body], tagOfBytes(body));
}

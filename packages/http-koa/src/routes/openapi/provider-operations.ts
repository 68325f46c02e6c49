import { ref } from './schema.js';
import {
  failure,
  internalError,
  jsonRequest,
  momentary,
  notStored,
  readable,
  refusedBodies,
  type Answer,
  type Paths,
} from './operation.js';

const ticket: NonNullable<Answer['headers']> = {
  'Set-Cookie': {
    schema: { type: 'string' },
    description: 'Cookie for the sign-in. Scripts cannot read it, and browsers send it only to this host.',
  },
};

const session: NonNullable<Answer['headers']> = {
  'Set-Cookie': {
    schema: { type: 'string' },
    description: 'The session cookie. The cookie for the sign-in is removed.',
  },
};

const tooSoon = failure('Too many attempts. `Retry-After` says when to try again.');
const away = failure('The identity provider cannot be reached, or gives no valid answer.');

/** `/api/session/provider`: signing in and out at the identity provider. */
export const providerPaths: Paths = {
  '/api/session/provider': {
    post: {
      operationId: 'beginAtProvider',
      summary: 'Begin a sign-in at the identity provider',
      responses: {
        200: {
          description: 'The page of the provider.',
          headers: { ...notStored, ...ticket },
          content: { 'application/json': { schema: ref('ProviderStart') } },
        },
        401: failure('The service has no user yet.'),
        429: tooSoon,
        500: internalError,
        503: away,
      },
    },
  },
  '/api/session/provider/answer': {
    post: {
      operationId: 'finishAtProvider',
      summary: 'Sign in with the answer of the identity provider',
      requestBody: jsonRequest('ProviderAnswer'),
      responses: {
        200: {
          description: 'Signed in.',
          headers: { ...notStored, ...session },
          content: { 'application/json': { schema: ref('Session') } },
        },
        400: failure('The body is not a JSON object.'),
        401: failure('The answer of the provider is not valid, or the service has no user yet.'),
        403: failure(
          'The person is not a user of this service. `subject` is the id of the person at the provider.',
        ),
        409: failure('The user is the last admin, or there are too many users.'),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
        503: away,
      },
    },
  },
  '/api/session/provider/sign-out': readable({
    operationId: 'readProviderSignOut',
    summary: 'Get the URL to sign out at the identity provider',
    responses: {
      ...momentary('ProviderSignOut'),
      429: tooSoon,
      500: internalError,
      503: away,
    },
  }),
};

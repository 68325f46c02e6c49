import { ref } from '../schema.js';
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
} from '../operation.js';

const ticket: NonNullable<Answer['headers']> = {
  'Set-Cookie': {
    schema: { type: 'string' },
    description:
      'Cookie to send with the answer of the provider: not readable by scripts, and only for this host.',
  },
};

const session: NonNullable<Answer['headers']> = {
  'Set-Cookie': { schema: { type: 'string' }, description: 'The session. It replaces the earlier cookies.' },
};

const tooSoon = failure('Too many attempts. `Retry-After` says when to try again.');
const away = failure('The identity provider cannot be reached, or its answer is not valid.');

/** `/api/session/provider`: signing in and out at the identity provider. */
export const providerPaths: Paths = {
  '/api/session/provider': {
    post: {
      operationId: 'beginAtProvider',
      summary: 'Begin to sign in at the identity provider',
      responses: {
        200: {
          description: 'The address to open.',
          headers: { ...notStored, ...ticket },
          content: { 'application/json': { schema: ref('ProviderStart') } },
        },
        401: failure('Nobody has set the service up.'),
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
        401: failure('The answer is not valid, or nobody has set the service up.'),
        403: failure('The person is not a user here. `subject` is the id of the person at the provider.'),
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
    summary: 'Address for signing out at the identity provider',
    responses: {
      ...momentary('ProviderSignOut'),
      429: tooSoon,
      500: internalError,
      503: away,
    },
  }),
};

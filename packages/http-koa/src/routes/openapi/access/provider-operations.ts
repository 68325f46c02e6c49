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
    description: 'Cookie to send with the answer: not readable by scripts, and for this host only.',
  },
};

const session: NonNullable<Answer['headers']> = {
  'Set-Cookie': { schema: { type: 'string' }, description: 'The session, in the place of what was shown.' },
};

const tooSoon = failure('Too many attempts. `Retry-After` says when to try again.');
const away = failure('The identity provider cannot be reached, or does not answer as one.');

/** `/api/session/provider`: signing in and out at the identity provider. */
export const providerPaths: Paths = {
  '/api/session/provider': {
    post: {
      operationId: 'beginAtProvider',
      summary: 'Begin to sign in at the identity provider',
      responses: {
        200: {
          description: 'Where to go.',
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
        401: failure('The answer proves nothing, or nobody has set the service up.'),
        403: failure('Whoever it is, is no user here. `subject` is how the provider knows the person.'),
        409: failure('It is the last admin, or there are too many users.'),
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

import { ref } from '../schema.js';
import {
  failure,
  internalError,
  jsonRequest,
  madeOf,
  momentary,
  notStored,
  ofEverybody,
  readable,
  refusedBodies,
  type Paths,
} from '../operation.js';

const unavailable = failure(
  'Browsers allow no passkeys here, because they need https and a host name; or nobody has a passkey for this host.',
);

const tooSoon = failure('Too many attempts. `Retry-After` says when to try again.');

/** Signing in with passkeys, and managing them. */
export const passkeyPaths: Paths = {
  '/api/session/passkey/challenge': {
    post: {
      operationId: 'challengePasskey',
      summary: 'Challenge for signing in with a passkey; the body is an empty object',
      requestBody: jsonRequest('PasskeyChallengeRequest'),
      responses: {
        200: { description: 'Good for five minutes, once.', ...madeOf('PasskeyRequestOptions') },
        400: failure('The body is not a JSON object.'),
        401: failure('Nobody has set the service up.'),
        409: unavailable,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/session/passkey': {
    post: {
      operationId: 'signInWithPasskey',
      summary: 'Sign in with the signed challenge',
      requestBody: jsonRequest('PasskeyAnswer'),
      responses: {
        200: {
          description: 'Signed in.',
          headers: {
            ...notStored,
            'Set-Cookie': { schema: { type: 'string' }, description: 'As of `POST /api/session`.' },
          },
          content: { 'application/json': { schema: ref('Session') } },
        },
        400: failure('The body is not a JSON object, or not the answer of a browser.'),
        401: failure('The passkey is unknown here, or its answer is wrong, too old, or was used before.'),
        409: unavailable,
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/passkeys': {
    ...readable({
      operationId: 'listPasskeys',
      summary: 'Your own passkeys, or all',
      parameters: [ofEverybody],
      responses: {
        ...momentary('Passkeys'),
        400: failure('A parameter is invalid or given twice.'),
        500: internalError,
      },
    }),
    post: {
      operationId: 'addPasskey',
      summary: 'Add a passkey that a browser has created',
      requestBody: jsonRequest('NewPasskey'),
      responses: {
        201: { description: 'The passkey is added.', ...madeOf('PasskeyId') },
        400: failure('The body is not a JSON object, or the passkey is not accepted; the answer says why.'),
        403: failure('Only a user has passkeys.'),
        409: failure('Browsers have no passkeys here, or the user has as many as there may be.'),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
    delete: {
      operationId: 'removePasskey',
      summary:
        'Remove a passkey: your own, or any with the right `manage-access`. The other sessions of its user end',
      parameters: [
        {
          name: 'id',
          in: 'query',
          description: 'The id of the passkey.',
          required: true,
          schema: { type: 'string' },
        },
      ],
      responses: {
        204: { description: 'Nobody can sign in with it any more.' },
        400: failure('The id is missing or given twice.'),
        404: failure('There is no passkey of this id, or it is not yours.'),
        500: internalError,
      },
    },
  },
  '/api/passkeys/challenge': {
    post: {
      operationId: 'requestPasskey',
      summary: 'Challenge for a new passkey; needs the password',
      requestBody: jsonRequest('PasskeyProof'),
      responses: {
        200: { description: 'Good for five minutes, once.', ...madeOf('PasskeyCreationOptions') },
        400: failure('The body is not a JSON object.'),
        401: failure('The password is wrong, or the client is not signed in.'),
        403: failure('Only a user who has a password here has passkeys.'),
        409: failure('Browsers have no passkeys here, or the user has as many as there may be.'),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
};

import { LABEL_MAX_LENGTH, PASSWORD_MAX_LENGTH } from '@tallybook/domain/access';
import { array, boolean, object, ref, string, type Schema } from './schema.js';
import {
  failure,
  internalError,
  jsonRequest,
  madeOf,
  momentary,
  notStored,
  ofEverybody,
  required,
  readable,
  refusedBodies,
  type Paths,
} from './operation.js';

const text: Schema = { type: 'string' };
const seconds: Schema = { type: 'integer', minimum: 0 };

/**
 * Values of `/api/passkeys` and of signing in with passkeys. The values of WebAuthn have the form that browsers use.
 */
export const passkeySchemas: Readonly<Record<string, Schema>> = {
  Passkey: object(
    {
      id: text,
      user: string('The user of the passkey.'),
      host: string('The host name for which it is valid.'),
      label: { type: 'string', maxLength: LABEL_MAX_LENGTH },
      isSynced: boolean('Whether it is copied to other devices of its owner.'),
      createdAt: seconds,
      lastUsed: { type: ['integer', 'null'], description: 'The last day of use.' },
    },
    'A passkey. With it, a user signs in without a password.',
  ),
  Passkeys: array(
    { $ref: '#/components/schemas/Passkey' },
    'Ascending by user, then in the order in which they were made.',
  ),
  PasskeyChallengeRequest: { type: 'object' },
  PasskeyRequestOptions: object(
    {
      challenge: text,
      rpId: text,
      allowCredentials: array({ type: 'object' }, 'Empty: the device shows its own passkeys.'),
      userVerification: { const: 'required' },
      timeout: { type: 'integer', description: 'Milliseconds.' },
    },
    '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn.',
  ),
  PasskeyAnswer: object(
    { id: text, rawId: text, type: { const: 'public-key' }, response: { type: 'object' } },
    '`AuthenticationResponseJSON` of WebAuthn: `toJSON()` of the result of `navigator.credentials.get()`.',
  ),
  PasskeyProof: object({ password: { type: 'string', maxLength: PASSWORD_MAX_LENGTH } }),
  PasskeyCreationOptions: object(
    {
      rp: { type: 'object' },
      user: { type: 'object' },
      challenge: text,
      pubKeyCredParams: array({ type: 'object' }),
      timeout: { type: 'integer', description: 'Milliseconds.' },
      excludeCredentials: array({ type: 'object' }),
      authenticatorSelection: { type: 'object' },
      attestation: { const: 'none' },
    },
    {
      optional: ['excludeCredentials'],
      description: '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn.',
    },
  ),
  NewPasskey: object({
    label: { type: 'string', minLength: 1, maxLength: LABEL_MAX_LENGTH },
    answer: {
      type: 'object',
      description:
        '`RegistrationResponseJSON` of WebAuthn: `toJSON()` of the result of `navigator.credentials.create()`.',
    },
  }),
  PasskeyId: object({ id: text }),
};

const unavailable = failure(
  'Browsers offer no passkeys on this page, because it has no https or no host name; or nobody has a passkey for this host.',
);

const tooSoon = failure('Too many attempts. `Retry-After` says when to try again.');

/** Signing in with passkeys, and managing them. */
export const passkeyPaths: Paths = {
  '/api/session/passkey/challenge': {
    post: {
      operationId: 'challengePasskey',
      summary: 'Get a challenge to sign in with a passkey. The body is an empty object',
      requestBody: jsonRequest('PasskeyChallengeRequest'),
      responses: {
        200: {
          description: 'The challenge is valid for five minutes and one answer.',
          ...madeOf('PasskeyRequestOptions'),
        },
        400: failure('The body is not a JSON object.'),
        401: failure('The service has no user yet.'),
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
            'Set-Cookie': { schema: { type: 'string' }, description: 'As in `POST /api/session`.' },
          },
          content: { 'application/json': { schema: ref('Session') } },
        },
        400: failure('The body is not a JSON object, or is not an answer of a browser.'),
        401: failure('The passkey is unknown, or its answer is wrong, too old, or used before.'),
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
      summary: 'List the own passkeys, or all',
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
        400: failure(
          'The body is not a JSON object, or the passkey is not valid; the answer gives the reason.',
        ),
        403: failure('Only users can have passkeys.'),
        409: failure(
          'Browsers offer no passkeys on this page, or the user has the maximum number of passkeys.',
        ),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
    delete: {
      operationId: 'removePasskey',
      summary:
        'Remove a passkey: your own, or any with the right `manage-access`. The other sessions of its user end',
      parameters: [required('id', 'Id of the passkey.', { type: 'string' })],
      responses: {
        204: { description: 'The passkey is removed.' },
        400: failure('The id is missing or given twice.'),
        404: failure('Nothing has this id, or it belongs to somebody else.'),
        500: internalError,
      },
    },
  },
  '/api/passkeys/challenge': {
    post: {
      operationId: 'requestPasskey',
      summary: 'Get a challenge for a new passkey. Needs the password',
      requestBody: jsonRequest('PasskeyProof'),
      responses: {
        200: {
          description: 'The challenge is valid for five minutes and one answer.',
          ...madeOf('PasskeyCreationOptions'),
        },
        400: failure('The body is not a JSON object.'),
        401: failure('The password is wrong, or the client is not signed in.'),
        403: failure('Only users with a password can have passkeys.'),
        409: failure(
          'Browsers offer no passkeys on this page, or the user has the maximum number of passkeys.',
        ),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
};

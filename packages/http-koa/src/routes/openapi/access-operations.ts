import { ref, type Schema } from './schema.js';
import {
  failure,
  internalError,
  jsonRequest,
  momentary,
  notStored,
  ofEverybody,
  required,
  readable,
  refusedBodies,
  type Answer,
  type Paths,
} from './operation.js';
import { providerPaths } from './provider-operations.js';

/** Ways in which a request identifies its sender. */
export const securitySchemes: Readonly<Record<string, Schema>> = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of `POST /api/tokens` or `tallybook token add`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tallybook',
    description: 'The cookie of `POST /api/session` over http.',
  },
  secureSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-tallybook',
    description: 'The cookie of `POST /api/session` over https.',
  },
};

const setCookie: NonNullable<Answer['headers']> = {
  'Set-Cookie': {
    schema: { type: 'string' },
    description:
      'The session cookie, and a cookie that identifies the browser at later sign-ins. Scripts cannot read them, and browsers send them only to this host.',
  },
};

const tooSoon = failure('Too many attempts. `Retry-After` says when to try again.');

const session = { 'application/json': { schema: ref('Session') } };

/** `/api/session` and the other paths of access. */
export const accessPaths: Paths = {
  '/api/session': {
    ...readable({
      operationId: 'readSession',
      summary: 'The user or token of the request, and its rights',
      responses: { ...momentary('Session'), 500: internalError },
    }),
    post: {
      operationId: 'signIn',
      summary: 'Sign in with name and password',
      requestBody: jsonRequest('SignIn'),
      responses: {
        200: { description: 'Signed in.', headers: { ...notStored, ...setCookie }, content: session },
        400: failure('The body is not a JSON object.'),
        401: failure('The name or the password is wrong, or the service has no user yet.'),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
    delete: {
      operationId: 'signOut',
      summary: 'End the session of the request, if there is one',
      responses: { 204: { description: 'The session has ended.', headers: setCookie }, 500: internalError },
    },
  },
  ...providerPaths,
  '/api/setup': {
    post: {
      operationId: 'setUp',
      summary: 'Make the first user, an admin, with the setup code, and sign in',
      requestBody: jsonRequest('SetUp'),
      responses: {
        201: {
          description: 'The service is claimed.',
          headers: { ...notStored, ...setCookie },
          content: session,
        },
        400: failure('The body is not a JSON object, or the name or the password is not allowed.'),
        403: failure('The setup code is wrong, or the service is open and needs none.'),
        409: failure('The service already has users.'),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/password': {
    post: {
      operationId: 'changePassword',
      summary: 'Change the own password. The other sessions of this user end',
      requestBody: jsonRequest('ChangePassword'),
      responses: {
        200: { description: 'The password is changed. Empty body.' },
        400: failure('The body is not a JSON object, or the new password is not allowed.'),
        401: failure('The present password is wrong, or the client is not signed in.'),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/users': {
    ...readable({
      operationId: 'listUsers',
      summary: 'List the users',
      responses: { ...momentary('Users'), 500: internalError },
    }),
    post: {
      operationId: 'putUser',
      summary:
        'Add a user, or change the role, the password or the link to the provider. A change ends the sessions of the user',
      requestBody: jsonRequest('NewUser'),
      responses: {
        200: { description: 'The user is changed. Empty body.' },
        201: { description: 'The user is added. Empty body.' },
        400: failure(
          'The body is not a JSON object, or a field is invalid; the answer names the field and the reason.',
        ),
        403: failure(
          'The client has no right to this, or tries to change its own password or its own link to the provider.',
        ),
        409: failure(
          'The user is the last admin, or the first user could not sign in, or there are too many users, or `isNew` is true and there is a user of this name.',
        ),
        429: tooSoon,
        ...refusedBodies,
        500: internalError,
      },
    },
    delete: {
      operationId: 'removeUser',
      summary: 'Remove a user, with the sessions and tokens of the user, except tokens of devices',
      parameters: [required('name', 'Name of the user.', { type: 'string' })],
      responses: {
        204: { description: 'The user is removed.' },
        400: failure('The name is missing or given twice.'),
        404: failure('There is no such user.'),
        409: failure('The user is the last admin.'),
        500: internalError,
      },
    },
  },
  '/api/credentials': {
    ...readable({
      operationId: 'listCredentials',
      summary: 'List the own sessions and tokens, or all',
      parameters: [ofEverybody],
      responses: {
        ...momentary('Credentials'),
        400: failure('A parameter is invalid or given twice.'),
        500: internalError,
      },
    }),
    delete: {
      operationId: 'revokeCredential',
      summary: 'End a session or a token: your own, or any with the right `manage-access`',
      parameters: [required('id', 'Id of the session or token.', { type: 'string' })],
      responses: {
        204: { description: 'The session or token is no longer valid.' },
        400: failure('The id is missing or given twice.'),
        404: failure('Nothing has this id, or it belongs to somebody else.'),
        500: internalError,
      },
    },
  },
  '/api/tokens': {
    post: {
      operationId: 'createToken',
      summary: 'Make a token for a program',
      requestBody: jsonRequest('NewToken'),
      responses: {
        201: {
          description: 'The token.',
          headers: notStored,
          content: { 'application/json': { schema: ref('Token') } },
        },
        400: failure(
          'The body is not a JSON object, or a field is invalid; the answer names the field and the reason.',
        ),
        409: failure('There are too many tokens.'),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
};

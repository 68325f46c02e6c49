import {
  actions,
  LABEL_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  roles,
  SUBJECT_MAX_LENGTH,
  TOKEN_MAX_DAYS,
  USER_NAME_MAX_LENGTH,
} from '@tallybook/domain/access';
import {
  array,
  boolean,
  component,
  described,
  integer,
  named,
  object,
  oneOf,
  optional,
  orNull,
  string,
  type TypeOf,
} from '../schema.js';
import { empty, fields, json, jsonBody, operation, refusal, withHeader, type Answer } from '../operation.js';
import { ofEverybody } from '../values.js';

export const Role = named('Role', oneOf(roles, 'Role of a user or token. It decides the rights.'));
export type Role = TypeOf<typeof Role>;

const Action = oneOf(actions);
export type Action = TypeOf<typeof Action>;

const seconds = integer();
const lastUsed = orNull(integer(), 'The last day of use.');
const expiresAt = orNull(integer(), 'Null: never.');
const userName = string({ minLength: 1, maxLength: USER_NAME_MAX_LENGTH });
const label = string({ maxLength: LABEL_MAX_LENGTH });
const newLabel = string({ minLength: 1, maxLength: LABEL_MAX_LENGTH });
const subject = { minLength: 1, maxLength: SUBJECT_MAX_LENGTH };
const password = string({ maxLength: PASSWORD_MAX_LENGTH });
const newPassword = string({
  maxLength: PASSWORD_MAX_LENGTH,
  minLength: PASSWORD_MIN_LENGTH,
  description: 'Common passwords are refused. Any characters are allowed, and none are required.',
});

export const Session = component(
  'Session',
  {
    access: oneOf(
      ['open', 'unclaimed', 'claimed'],
      '`open`: there are no users, and everybody may do everything. `unclaimed`: there are no users, and somebody has to make the first one with the setup code. `claimed`: there are users, and clients have to sign in or send a token.',
    ),
    user: orNull(
      object({ name: string(), role: Role }),
      'The user with the name, or the token with its label as name; null without both.',
    ),
    actions: array(Action, 'The rights of the client.'),
    isInsecure: boolean('Whether `--insecure` opens the service to a network.'),
    expiresAt: described(
      expiresAt,
      'End of the session, after which the user has to sign in again; null: never.',
    ),
    provider: orNull(string(), 'Label of the identity provider; null without a provider.'),
    hasPasskeys: boolean(
      'Whether anybody has a passkey for this host, and browsers offer passkeys on this page.',
    ),
  },
  'The user or token of the request, and its rights.',
);
export type Session = TypeOf<typeof Session>;

const UserProvider = object({
  subject: orNull(
    string({ maxLength: SUBJECT_MAX_LENGTH }),
    'Id of the person at the provider; null until the first sign-in.',
  ),
  grantsRole: boolean('Whether the provider decides the role.'),
});
export type UserProvider = TypeOf<typeof UserProvider>;

const User = component('User', {
  name: userName,
  role: Role,
  createdAt: seconds,
  hasPassword: boolean(),
  provider: orNull(
    UserProvider,
    'Link of the user to the identity provider; null: the user cannot sign in there.',
  ),
});
export type User = TypeOf<typeof User>;

const Users = named('Users', array(User, 'Ascending by name.'));

const Credential = component(
  'Credential',
  {
    id: string(),
    kind: oneOf(['session', 'token']),
    role: Role,
    user: orNull(string(), 'The user of the session, or the user who made the token.'),
    label,
    createdAt: seconds,
    expiresAt,
    lastUsed,
    isCurrent: boolean('Whether this request uses it.'),
  },
  'A session of a browser, or a token of a program.',
);
export type Credential = TypeOf<typeof Credential>;

const Credentials = named('Credentials', array(Credential, 'The latest first.'));

const Token = component('Token', {
  id: string(),
  token: string({ pattern: '^tb_', description: 'The secret. It is shown only in this answer.' }),
});
export type Token = TypeOf<typeof Token>;

const Passkey = component(
  'Passkey',
  {
    id: string(),
    user: string('The user of the passkey.'),
    host: string('The host name for which it is valid.'),
    label,
    isSynced: boolean('Whether it is copied to other devices of its owner.'),
    createdAt: seconds,
    lastUsed,
  },
  'A passkey. With it, a user signs in without a password.',
);
export type Passkey = TypeOf<typeof Passkey>;

const PasskeyAnswer = component('PasskeyAnswer', {
  id: string(),
  rawId: string(),
  type: oneOf(['public-key']),
  response: object({}),
});
export type PasskeyAnswer = TypeOf<typeof PasskeyAnswer>;

const Passkeys = named(
  'Passkeys',
  array(Passkey, 'Ascending by user, then in the order in which they were made.'),
);

const milliseconds = integer('Milliseconds.');

// The values of WebAuthn have the form that browsers use.
const PasskeyRequestOptions = component(
  'PasskeyRequestOptions',
  {
    challenge: string(),
    rpId: string(),
    allowCredentials: array(object({}), 'Empty: the device shows its own passkeys.'),
    userVerification: oneOf(['required']),
    timeout: milliseconds,
  },
  '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn.',
);

const PasskeyCreationOptions = component(
  'PasskeyCreationOptions',
  {
    rp: object({}),
    user: object({}),
    challenge: string(),
    pubKeyCredParams: array(object({})),
    timeout: milliseconds,
    excludeCredentials: optional(array(object({}))),
    authenticatorSelection: object({}),
    attestation: oneOf(['none']),
  },
  '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn.',
);

const tooSoon = refusal('Too many attempts. `Retry-After` says when to try again.');
const away = refusal('The identity provider cannot be reached, or gives no valid answer.');
const invalidJson = 'The body is not a JSON object.';
const invalidField =
  'The body is not a JSON object, or a field is invalid; the answer names the field and the reason.';

function withCookie<T>(answer: Answer<T>, description?: string): Answer<T> {
  return withHeader(
    answer,
    'Set-Cookie',
    description ??
      'The session cookie, and a cookie that identifies the browser at later sign-ins. Scripts cannot read them, and browsers send them only to this host.',
  );
}

const signedIn = withCookie(json(Session, 'Signed in.'));

/** Signing in and out, users, sessions and tokens. */
const signInOperations = {
  'GET /api/session': operation({
    id: 'readSession',
    summary: 'The user or token of the request, and its rights',
    action: 'public',
    answers: { 200: json(Session) },
  }),
  'POST /api/session': operation({
    id: 'signIn',
    summary: 'Sign in with name and password',
    action: 'public',
    body: fields({ name: string(), password: string() }, 'SignIn'),
    invalid: invalidJson,
    answers: {
      200: signedIn,
      401: refusal('The name or the password is wrong, or the service has no user yet.'),
      429: tooSoon,
    },
  }),
  'DELETE /api/session': operation({
    id: 'signOut',
    summary: 'End the session of the request, if there is one',
    action: 'public',
    answers: { 204: withCookie(empty('The session has ended.')) },
  }),
  'POST /api/session/provider': operation({
    id: 'beginAtProvider',
    summary: 'Begin a sign-in at the identity provider',
    action: 'public',
    answers: {
      200: withCookie(
        json(
          component('ProviderStart', {
            url: string({
              format: 'uri',
              description: 'The page of the provider, to which the browser should go.',
            }),
          }),
          'The page of the provider.',
        ),
        'Cookie for the sign-in. Scripts cannot read it, and browsers send it only to this host.',
      ),
      401: refusal('The service has no user yet.'),
      429: tooSoon,
      503: away,
    },
  }),
  'POST /api/session/provider/answer': operation({
    id: 'finishAtProvider',
    summary: 'Sign in with the answer of the identity provider',
    action: 'public',
    body: fields(
      { answer: string('The query with which the provider sent the browser back, without `?`.') },
      'ProviderAnswer',
    ),
    invalid: invalidJson,
    answers: {
      200: withCookie(
        json(Session, 'Signed in.'),
        'The session cookie. The cookie for the sign-in is removed.',
      ),
      401: refusal('The answer of the provider is not valid, or the service has no user yet.'),
      403: refusal(
        'The person is not a user of this service. `subject` is the id of the person at the provider.',
      ),
      409: refusal('The user is the last admin, or there are too many users.'),
      429: tooSoon,
      503: away,
    },
  }),
  'GET /api/session/provider/sign-out': operation({
    id: 'readProviderSignOut',
    summary: 'Get the URL to sign out at the identity provider',
    action: 'signed-in',
    answers: {
      200: json(
        component('ProviderSignOut', {
          url: orNull(
            string({ format: 'uri' }),
            'URL at which the browser signs out at the provider, after the sign-out here. Null if the user did not sign in at the provider, or the provider has no such URL. The URL identifies the user (`id_token_hint`), so keep it out of logs.',
          ),
        }),
      ),
      429: tooSoon,
      503: away,
    },
  }),
  'POST /api/setup': operation({
    id: 'setUp',
    summary: 'Make the first user, an admin, with the setup code, and sign in',
    action: 'public',
    body: fields(
      { code: string('The setup code, in any spelling.'), name: userName, password: newPassword },
      'SetUp',
    ),
    invalid: 'The body is not a JSON object, or the name or the password is not allowed.',
    answers: {
      201: withCookie(json(Session, 'The service is claimed.')),
      403: refusal('The setup code is wrong, or the service is open and needs none.'),
      409: refusal('The service already has users.'),
      429: tooSoon,
    },
  }),
  'POST /api/password': operation({
    id: 'changePassword',
    summary: 'Change the own password. The other sessions of this user end',
    action: 'signed-in',
    body: fields({ current: password, password: newPassword }, 'ChangePassword'),
    invalid: 'The body is not a JSON object, or the new password is not allowed.',
    answers: {
      200: empty('The password is changed. Empty body.'),
      401: refusal('The present password is wrong, or the client is not signed in.'),
      429: tooSoon,
    },
  }),
};

/** Users, sessions and tokens. */
const userOperations = {
  'GET /api/users': operation({
    id: 'listUsers',
    summary: 'List the users',
    action: 'manage-access',
    answers: { 200: json(Users) },
  }),
  'POST /api/users': operation({
    id: 'putUser',
    summary:
      'Add a user, or change the role, the password or the link to the provider. A change ends the sessions of the user',
    action: 'manage-access',
    body: fields(
      {
        name: userName,
        role: optional(
          described(Role, 'Default: unchanged; `viewer` for a new user, `admin` for the first user.'),
        ),
        password: optional(
          described(
            newPassword,
            'Default: unchanged. A new user without a password signs in by a proxy or at the provider.',
          ),
        ),
        provider: optional(
          boolean(
            'Whether the user may sign in at the identity provider. Without `subject`, the first person with this name at the provider is linked to the user. Default: unchanged.',
          ),
        ),
        subject: optional(
          string({
            ...subject,
            description: 'Id of the person at the identity provider. Default: unchanged.',
          }),
        ),
        isNew: optional(
          boolean(
            'With `true`, a user is only added, and a user who has the name already is not changed. Default: `false`.',
          ),
        ),
        endTokens: optional(
          boolean(
            'With `true`, the tokens that the user made end too, except those of devices. Default: `false`.',
          ),
        ),
      },
      'NewUser',
    ),
    invalid: invalidField,
    answers: {
      200: empty('The user is changed. Empty body.'),
      201: empty('The user is added. Empty body.'),
      403: refusal(
        'The client has no right to this, or tries to change its own password or its own link to the provider.',
      ),
      409: refusal(
        'The user is the last admin, or the first user could not sign in, or there are too many users, or `isNew` is true and there is a user of this name.',
      ),
      429: tooSoon,
    },
  }),
  'DELETE /api/users': operation({
    id: 'removeUser',
    summary: 'Remove a user, with the sessions and tokens of the user, except tokens of devices',
    action: 'manage-access',
    query: { name: string('Name of the user.') },
    invalid: 'The name is missing or given twice.',
    answers: {
      204: empty('The user is removed.'),
      404: refusal('There is no such user.'),
      409: refusal('The user is the last admin.'),
    },
  }),
  'GET /api/credentials': operation({
    id: 'listCredentials',
    summary: 'List the own sessions and tokens, or all',
    action: { '': 'signed-in', 'of everybody': 'manage-access' },
    query: { all: ofEverybody },
    answers: { 200: json(Credentials) },
  }),
  'DELETE /api/credentials': operation({
    id: 'revokeCredential',
    summary: 'End a session or a token: your own, or any with the right `manage-access`',
    action: 'signed-in',
    query: { id: string('Id of the session or token.') },
    invalid: 'The id is missing or given twice.',
    answers: {
      204: empty('The session or token is no longer valid.'),
      404: refusal('Nothing has this id, or it belongs to somebody else.'),
    },
  }),
  'POST /api/tokens': operation({
    id: 'createToken',
    summary: 'Make a token for a program',
    action: 'manage-access',
    body: fields(
      {
        label: newLabel,
        role: Role,
        days: optional(
          integer({
            minimum: 1,
            maximum: TOKEN_MAX_DAYS,
            description: 'Days until the end of the token. Default: it does not end.',
          }),
        ),
      },
      'NewToken',
    ),
    invalid: invalidField,
    answers: { 201: json(Token, 'The token.'), 409: refusal('There are too many tokens.') },
  }),
};

const unavailable = refusal(
  'Browsers offer no passkeys on this page, because it has no https or no host name; or nobody has a passkey for this host.',
);
const tooMany = refusal(
  'Browsers offer no passkeys on this page, or the user has the maximum number of passkeys.',
);
const challenge = 'The challenge is valid for five minutes and one answer.';

/** Signing in with passkeys, and managing them. */
const passkeyOperations = {
  'POST /api/session/passkey/challenge': operation({
    id: 'challengePasskey',
    summary: 'Get a challenge to sign in with a passkey. The body is an empty object',
    action: 'public',
    body: jsonBody(object({})),
    invalid: invalidJson,
    answers: {
      200: json(PasskeyRequestOptions, challenge),
      401: refusal('The service has no user yet.'),
      409: unavailable,
    },
  }),
  'POST /api/session/passkey': operation({
    id: 'signInWithPasskey',
    summary:
      'Sign in with the signed challenge: `AuthenticationResponseJSON` of WebAuthn, `toJSON()` of the result of `navigator.credentials.get()`',
    action: 'public',
    body: jsonBody(PasskeyAnswer),
    invalid: 'The body is not a JSON object, or is not an answer of a browser.',
    answers: {
      200: signedIn,
      401: refusal('The passkey is unknown, or its answer is wrong, too old, or used before.'),
      409: unavailable,
      429: tooSoon,
    },
  }),
  'GET /api/passkeys': operation({
    id: 'listPasskeys',
    summary: 'List the own passkeys, or all',
    action: { '': 'signed-in', 'of everybody': 'manage-access' },
    query: { all: ofEverybody },
    answers: { 200: json(Passkeys) },
  }),
  'POST /api/passkeys': operation({
    id: 'addPasskey',
    summary: 'Add a passkey that a browser has created',
    action: 'signed-in',
    body: fields(
      {
        label: newLabel,
        answer: object(
          {},
          '`RegistrationResponseJSON` of WebAuthn: `toJSON()` of the result of `navigator.credentials.create()`.',
        ),
      },
      'NewPasskey',
    ),
    invalid: 'The body is not a JSON object, or the passkey is not valid; the answer gives the reason.',
    answers: {
      201: json(component('PasskeyId', { id: string() }), 'The passkey is added.'),
      403: refusal('Only users can have passkeys.'),
      409: tooMany,
      429: tooSoon,
    },
  }),
  'DELETE /api/passkeys': operation({
    id: 'removePasskey',
    summary:
      'Remove a passkey: your own, or any with the right `manage-access`. The other sessions of its user end',
    action: 'signed-in',
    query: { id: string('Id of the passkey.') },
    invalid: 'The id is missing or given twice.',
    answers: {
      204: empty('The passkey is removed.'),
      404: refusal('Nothing has this id, or it belongs to somebody else.'),
    },
  }),
  'POST /api/passkeys/challenge': operation({
    id: 'requestPasskey',
    summary: 'Get a challenge for a new passkey. Needs the password',
    action: 'signed-in',
    body: fields({ password }, 'PasskeyProof'),
    invalid: invalidJson,
    answers: {
      200: json(PasskeyCreationOptions, challenge),
      401: refusal('The password is wrong, or the client is not signed in.'),
      403: refusal('Only users with a password can have passkeys.'),
      409: tooMany,
      429: tooSoon,
    },
  }),
};

/** Everything about access. */
export const accessOperations = { ...signInOperations, ...userOperations, ...passkeyOperations };

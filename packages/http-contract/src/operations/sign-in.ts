import {
  actions,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  roles,
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
  orNull,
  string,
  type TypeOf,
} from '../schema.js';
import { GroupId } from '../values.js';
import { empty, fields, json, operation, refusal, withHeader, type Answer } from '../operation.js';

export const Role = named('Role', oneOf(roles, 'Role of a user or token. It decides the rights.'));
export type Role = TypeOf<typeof Role>;

const Action = oneOf(actions);

export const expiresAt = orNull(integer(), 'Null: never.');
export const userName = string({ minLength: 1, maxLength: USER_NAME_MAX_LENGTH });
export const password = string({ maxLength: PASSWORD_MAX_LENGTH });
export const newPassword = string({
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
    groups: array(GroupId, 'The groups that the user is bound to, ascending. Empty: to none.'),
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

export const tooSoon = refusal('Too many attempts. `Retry-After` says when to try again.');
const away = refusal('The identity provider cannot be reached, or gives no valid answer.');

function withCookie<T>(answer: Answer<T>, description?: string): Answer<T> {
  return withHeader(
    answer,
    'Set-Cookie',
    description ??
      'The session cookie, and a cookie that identifies the browser at later sign-ins. Scripts cannot read them, and browsers send them only to this host.',
  );
}

export const signedIn = withCookie(json(Session, 'Signed in.'));

/** Signing in and out. */
export const signInOperations = {
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
    isByGroup: true,
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
    isByGroup: true,
    body: fields({ current: password, password: newPassword }, 'ChangePassword'),
    answers: {
      200: empty('The password is changed. Empty body.'),
      401: refusal('The present password is wrong, or the client is not signed in.'),
      429: tooSoon,
    },
  }),
};

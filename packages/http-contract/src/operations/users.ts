import { LABEL_MAX_LENGTH, SUBJECT_MAX_LENGTH, TOKEN_MAX_DAYS } from '@tallybook/domain/access';
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
import { empty, fields, json, operation, refusal } from '../operation.js';
import { GroupId, ofEverybody } from '../values.js';
import { expiresAt, newPassword, Role, tooSoon, userName } from './sign-in.js';

export const seconds = integer();
export const lastUsed = orNull(integer(), 'The last day of use.');
export const label = string({ maxLength: LABEL_MAX_LENGTH });
export const newLabel = string({ minLength: 1, maxLength: LABEL_MAX_LENGTH });
const subject = { minLength: 1, maxLength: SUBJECT_MAX_LENGTH };

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
  groups: array(GroupId, 'The groups that the user is bound to, ascending. Empty: to none.'),
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

/** Users, sessions and tokens. */
export const userOperations = {
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
        groups: optional(
          array(GroupId, {
            uniqueItems: true,
            description:
              'The groups that the user is bound to, so that they see and change only the persons in these; empty: to none. Only a `viewer` or `desk` may be bound. Default: unchanged.',
          }),
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
    isByGroup: true,
    query: { all: ofEverybody },
    answers: { 200: json(Credentials) },
  }),
  'DELETE /api/credentials': operation({
    id: 'revokeCredential',
    summary: 'End a session or a token: your own, or any with the right `manage-access`',
    action: 'signed-in',
    isByGroup: true,
    query: { id: string('Id of the session or token.') },
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
    answers: { 201: json(Token, 'The token.'), 409: refusal('There are too many tokens.') },
  }),
};

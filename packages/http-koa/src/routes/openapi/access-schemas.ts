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
import { array, boolean, object, string, type Schema } from './schema.js';

const role: Schema = { $ref: '#/components/schemas/Role' };
const seconds: Schema = { type: 'integer', minimum: 0 };
const secondsOrNever: Schema = { type: ['integer', 'null'], minimum: 0, description: 'Null: never.' };
const userName: Schema = { type: 'string', minLength: 1, maxLength: USER_NAME_MAX_LENGTH };
const password: Schema = { type: 'string', maxLength: PASSWORD_MAX_LENGTH };
const newPassword: Schema = {
  ...password,
  minLength: PASSWORD_MIN_LENGTH,
  description: 'Common passwords are refused. Any characters are allowed, and none are required.',
};

/** Values of `/api/session` and the other paths of access. */
export const accessSchemas: Readonly<Record<string, Schema>> = {
  Role: { enum: roles, description: 'Role of a user or token. It decides the rights.' },
  Session: object(
    {
      access: {
        enum: ['open', 'unclaimed', 'claimed'],
        description:
          '`open`: there are no users, and everybody may do everything. `unclaimed`: there are no users, and somebody has to make the first one with the setup code. `claimed`: there are users, and clients have to sign in or send a token.',
      },
      user: {
        description: 'The user with the name, or the token with its label as name; null without both.',
        oneOf: [object({ name: { type: 'string' }, role }), { type: 'null' }],
      },
      actions: array({ enum: actions }, 'The rights of the client.'),
      insecure: boolean('Whether `--insecure` opens the service to a network.'),
      expiresAt: {
        ...secondsOrNever,
        description: 'End of the session, after which the user has to sign in again; null: never.',
      },
      provider: {
        type: ['string', 'null'],
        description: 'Label of the identity provider; null without a provider.',
      },
      passkeys: boolean(
        'Whether anybody has a passkey for this host, and browsers offer passkeys on this page.',
      ),
    },
    'The user or token of the request, and its rights.',
  ),
  SignIn: object({ name: { type: 'string' }, password: { type: 'string' } }),
  ProviderStart: object({
    url: {
      type: 'string',
      format: 'uri',
      description: 'The page of the provider, to which the browser should go.',
    },
  }),
  ProviderSignOut: object({
    url: {
      type: ['string', 'null'],
      format: 'uri',
      description:
        'URL at which the browser signs out at the provider, after the sign-out here. Null if the user did not sign in at the provider, or the provider has no such URL. The URL identifies the user (`id_token_hint`), so keep it out of logs.',
    },
  }),
  ProviderAnswer: object({
    answer: string('The query with which the provider sent the browser back, without `?`.'),
  }),
  SetUp: object({ code: string('The setup code, in any spelling.'), name: userName, password: newPassword }),
  ChangePassword: object({ current: password, password: newPassword }),
  User: object({
    name: userName,
    role,
    createdAt: seconds,
    hasPassword: { type: 'boolean' },
    provider: {
      description: 'Link of the user to the identity provider; null: the user cannot sign in there.',
      oneOf: [
        object({
          subject: {
            type: ['string', 'null'],
            maxLength: SUBJECT_MAX_LENGTH,
            description: 'Id of the person at the provider; null until the first sign-in.',
          },
          grantsRole: boolean('Whether the provider decides the role.'),
        }),
        { type: 'null' },
      ],
    },
  }),
  Users: array({ $ref: '#/components/schemas/User' }, 'Ascending by name.'),
  NewUser: object(
    {
      name: userName,
      role: {
        ...role,
        description: 'Default: unchanged; `viewer` for a new user, `admin` for the first user.',
      },
      password: {
        ...newPassword,
        description:
          'Default: unchanged. A new user without a password signs in by a proxy or at the provider.',
      },
      provider: boolean(
        'Whether the user may sign in at the identity provider. Without `subject`, the first person with this name at the provider is linked to the user. Default: unchanged.',
      ),
      subject: {
        type: 'string',
        minLength: 1,
        maxLength: SUBJECT_MAX_LENGTH,
        description: 'Id of the person at the identity provider. Default: unchanged.',
      },
      isNew: boolean(
        'With `true`, a user is only added, and a user who has the name already is not changed. Default: `false`.',
      ),
      endTokens: boolean(
        'With `true`, the tokens that the user made end too, except those of devices. Default: `false`.',
      ),
    },
    { optional: ['role', 'password', 'provider', 'subject', 'isNew', 'endTokens'] },
  ),
  Credential: object(
    {
      id: { type: 'string' },
      kind: { enum: ['session', 'token'] },
      role,
      user: {
        type: ['string', 'null'],
        description: 'The user of the session, or the user who made the token.',
      },
      label: { type: 'string', maxLength: LABEL_MAX_LENGTH },
      createdAt: seconds,
      expiresAt: secondsOrNever,
      lastUsed: { type: ['integer', 'null'], description: 'The last day of use.' },
      isCurrent: boolean('Whether this request uses it.'),
    },
    'A session of a browser, or a token of a program.',
  ),
  Credentials: array({ $ref: '#/components/schemas/Credential' }, 'The latest first.'),
  NewToken: object(
    {
      label: { type: 'string', minLength: 1, maxLength: LABEL_MAX_LENGTH },
      role,
      days: {
        type: 'integer',
        minimum: 1,
        maximum: TOKEN_MAX_DAYS,
        description: 'Days until the end of the token. Default: it does not end.',
      },
    },
    { optional: ['days'] },
  ),
  Token: object({
    id: { type: 'string' },
    token: { type: 'string', pattern: '^tb_', description: 'The secret. It is shown only in this answer.' },
  }),
};

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
import type { Schema } from './schema.js';

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
  Session: {
    type: 'object',
    description: 'The user or token of the request, and its rights.',
    properties: {
      access: {
        enum: ['open', 'unclaimed', 'claimed'],
        description:
          '`open`: there are no users, and everybody may do everything. `unclaimed`: there are no users, and somebody has to make the first one with the setup code. `claimed`: there are users, and clients have to sign in or send a token.',
      },
      user: {
        description: 'The user with the name, or the token with its label as name; null without both.',
        oneOf: [
          { type: 'object', properties: { name: { type: 'string' }, role }, required: ['name', 'role'] },
          { type: 'null' },
        ],
      },
      actions: { type: 'array', items: { enum: actions }, description: 'The rights of the client.' },
      insecure: { type: 'boolean', description: 'Whether `--insecure` opens the service to a network.' },
      expiresAt: {
        ...secondsOrNever,
        description: 'End of the session, after which the user has to sign in again; null: never.',
      },
      provider: {
        type: ['string', 'null'],
        description: 'Label of the identity provider; null without a provider.',
      },
      passkeys: {
        type: 'boolean',
        description: 'Whether anybody has a passkey for this host, and browsers offer passkeys on this page.',
      },
    },
    required: ['access', 'user', 'actions', 'insecure', 'expiresAt', 'provider', 'passkeys'],
  },
  SignIn: {
    type: 'object',
    properties: { name: { type: 'string' }, password: { type: 'string' } },
    required: ['name', 'password'],
  },
  ProviderStart: {
    type: 'object',
    properties: {
      url: {
        type: 'string',
        format: 'uri',
        description: 'The page of the provider, to which the browser should go.',
      },
    },
    required: ['url'],
  },
  ProviderSignOut: {
    type: 'object',
    properties: {
      url: {
        type: ['string', 'null'],
        format: 'uri',
        description:
          'URL at which the browser signs out at the provider, after the sign-out here. Null if the user did not sign in at the provider, or the provider has no such URL. The URL identifies the user (`id_token_hint`), so keep it out of logs.',
      },
    },
    required: ['url'],
  },
  ProviderAnswer: {
    type: 'object',
    properties: {
      answer: {
        type: 'string',
        description: 'The query with which the provider sent the browser back, without `?`.',
      },
    },
    required: ['answer'],
  },
  SetUp: {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'The setup code, in any spelling.' },
      name: userName,
      password: newPassword,
    },
    required: ['code', 'name', 'password'],
  },
  ChangePassword: {
    type: 'object',
    properties: { current: password, password: newPassword },
    required: ['current', 'password'],
  },
  User: {
    type: 'object',
    properties: {
      name: userName,
      role,
      createdAt: seconds,
      hasPassword: { type: 'boolean' },
      provider: {
        description: 'Link of the user to the identity provider; null: the user cannot sign in there.',
        oneOf: [
          {
            type: 'object',
            properties: {
              subject: {
                type: ['string', 'null'],
                maxLength: SUBJECT_MAX_LENGTH,
                description: 'Id of the person at the provider; null until the first sign-in.',
              },
              grantsRole: { type: 'boolean', description: 'Whether the provider decides the role.' },
            },
            required: ['subject', 'grantsRole'],
          },
          { type: 'null' },
        ],
      },
    },
    required: ['name', 'role', 'createdAt', 'hasPassword', 'provider'],
  },
  Users: { type: 'array', items: { $ref: '#/components/schemas/User' }, description: 'Ascending by name.' },
  NewUser: {
    type: 'object',
    properties: {
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
      provider: {
        type: 'boolean',
        description:
          'Whether the user may sign in at the identity provider. Without `subject`, the first person with this name at the provider is linked to the user. Default: unchanged.',
      },
      subject: {
        type: 'string',
        minLength: 1,
        maxLength: SUBJECT_MAX_LENGTH,
        description: 'Id of the person at the identity provider. Default: unchanged.',
      },
      isNew: {
        type: 'boolean',
        description:
          'With `true`, a user is only added, and a user who has the name already is not changed. Default: `false`.',
      },
      endTokens: {
        type: 'boolean',
        description:
          'With `true`, the tokens that the user made end too, except those of devices. Default: `false`.',
      },
    },
    required: ['name'],
  },
  Credential: {
    type: 'object',
    description: 'A session of a browser, or a token of a program.',
    properties: {
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
      isCurrent: { type: 'boolean', description: 'Whether this request uses it.' },
    },
    required: ['id', 'kind', 'role', 'user', 'label', 'createdAt', 'expiresAt', 'lastUsed', 'isCurrent'],
  },
  Credentials: {
    type: 'array',
    items: { $ref: '#/components/schemas/Credential' },
    description: 'The latest first.',
  },
  NewToken: {
    type: 'object',
    properties: {
      label: { type: 'string', minLength: 1, maxLength: LABEL_MAX_LENGTH },
      role,
      days: {
        type: 'integer',
        minimum: 1,
        maximum: TOKEN_MAX_DAYS,
        description: 'Days until the end of the token. Default: it does not end.',
      },
    },
    required: ['label', 'role'],
  },
  Token: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      token: { type: 'string', pattern: '^tb_', description: 'The secret. It is shown only in this answer.' },
    },
    required: ['id', 'token'],
  },
};

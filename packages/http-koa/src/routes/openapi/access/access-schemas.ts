import {
  LABEL_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  roles,
  SUBJECT_MAX_LENGTH,
  TOKEN_MAX_DAYS,
  USER_NAME_MAX_LENGTH,
  actions,
} from '@tallybook/domain';
import type { Schema } from '../schema.js';

const role: Schema = { $ref: '#/components/schemas/Role' };
const seconds: Schema = { type: 'integer', minimum: 0 };
const secondsOrNever: Schema = { type: ['integer', 'null'], minimum: 0, description: 'Null for never.' };
const userName: Schema = { type: 'string', minLength: 1, maxLength: USER_NAME_MAX_LENGTH };
const password: Schema = { type: 'string', maxLength: PASSWORD_MAX_LENGTH };
const newPassword: Schema = {
  ...password,
  minLength: PASSWORD_MIN_LENGTH,
  description: 'Not a common one. No kinds of characters are required.',
};

/** Values of `/api/session` and the other paths of access. */
export const accessSchemas: Readonly<Record<string, Schema>> = {
  Role: { enum: roles, description: 'What somebody is to the service.' },
  Session: {
    type: 'object',
    description: 'The user or token of the request, and its rights.',
    properties: {
      access: {
        enum: ['open', 'unclaimed', 'claimed'],
        description:
          '`open`: there are no users, and everybody may do everything; `unclaimed`: there are none, and somebody has to set the service up; `claimed`: one has to sign in.',
      },
      user: {
        description: 'The name of the user, or the label of the token; null without one.',
        oneOf: [
          { type: 'object', properties: { name: { type: 'string' }, role }, required: ['name', 'role'] },
          { type: 'null' },
        ],
      },
      actions: { type: 'array', items: { enum: actions }, description: 'What one may do.' },
      insecure: { type: 'boolean', description: 'Whether the service is open to a network on purpose.' },
      expiresAt: { ...secondsOrNever, description: 'When one has to sign in again; null for never.' },
      provider: {
        type: ['string', 'null'],
        description: 'Label of the identity provider; null without one.',
      },
      passkeys: {
        type: 'boolean',
        description: 'Whether somebody has a passkey for this host, and browsers take it here.',
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
      url: { type: 'string', format: 'uri', description: 'Where the browser is to go.' },
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
          'Address at which the browser signs out at the provider, after signing out here; null if the user does not sign in there, or the provider has no such address. The provider reads from it who it is (`id_token_hint`), so it belongs in no log.',
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
        description: 'How the user signs in at the identity provider; null for not at all.',
        oneOf: [
          {
            type: 'object',
            properties: {
              subject: {
                type: ['string', 'null'],
                maxLength: SUBJECT_MAX_LENGTH,
                description: 'Id of the person there; null until the first sign-in.',
              },
              grantsRole: { type: 'boolean', description: 'Whether the provider decides on the role.' },
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
      role: { ...role, description: 'Default: as it was; of a new user `viewer`, of the first one `admin`.' },
      password: {
        ...newPassword,
        description: 'Default: as it was; a new user without one signs in elsewhere.',
      },
      provider: {
        type: 'boolean',
        description:
          'Whether the user signs in at the identity provider: without `subject`, whoever comes first with this name. Default: as it was.',
      },
      subject: {
        type: 'string',
        minLength: 1,
        maxLength: SUBJECT_MAX_LENGTH,
        description: 'Id of the person at the identity provider. Default: unchanged.',
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
      user: { type: ['string', 'null'], description: 'Whose session it is, or who made the token.' },
      label: { type: 'string', maxLength: LABEL_MAX_LENGTH },
      createdAt: seconds,
      expiresAt: secondsOrNever,
      lastUsed: { type: ['integer', 'null'], description: 'The last day on which it was used.' },
      isCurrent: { type: 'boolean', description: 'Whether it is the one that this request came with.' },
    },
    required: ['id', 'kind', 'role', 'user', 'label', 'createdAt', 'expiresAt', 'lastUsed', 'isCurrent'],
  },
  Credentials: {
    type: 'array',
    items: { $ref: '#/components/schemas/Credential' },
    description: 'Latest first.',
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
        description: 'Default: it does not end.',
      },
    },
    required: ['label', 'role'],
  },
  Token: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      token: { type: 'string', pattern: '^tb_', description: 'The secret: it is shown this once.' },
    },
    required: ['id', 'token'],
  },
};

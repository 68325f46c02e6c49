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
  description: 'Common passwords are refused. No kinds of characters are required.',
};

/** Values of `/api/session` and the other paths of access. */
export const accessSchemas: Readonly<Record<string, Schema>> = {
  Role: { enum: roles, description: 'The role decides which actions are allowed.' },
  Session: {
    type: 'object',
    description: 'The user or token of the request, and its rights.',
    properties: {
      access: {
        enum: ['open', 'unclaimed', 'claimed'],
        description:
          '`open`: there are no users, and everybody may do everything; `unclaimed`: there are no users, and somebody has to set the service up; `claimed`: people have to sign in.',
      },
      user: {
        description: 'The name of the user, or the label of the token; null without a user and a token.',
        oneOf: [
          { type: 'object', properties: { name: { type: 'string' }, role }, required: ['name', 'role'] },
          { type: 'null' },
        ],
      },
      actions: { type: 'array', items: { enum: actions }, description: 'The allowed actions.' },
      insecure: { type: 'boolean', description: 'Whether the service is open to a network on purpose.' },
      expiresAt: { ...secondsOrNever, description: 'When the user has to sign in again; null for never.' },
      provider: {
        type: ['string', 'null'],
        description: 'Label of the identity provider; null if there is none.',
      },
      passkeys: {
        type: 'boolean',
        description: 'Whether somebody has a passkey for this host, and browsers accept passkeys here.',
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
      url: { type: 'string', format: 'uri', description: 'The address to which the browser goes.' },
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
          'Address at which the browser signs out at the provider, after signing out here. Null if the user does not sign in there, or the provider has no such address. It contains the identity of the user (`id_token_hint`), so do not log it.',
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
        description: 'Default: unchanged. A new user without a password signs in in another way.',
      },
      provider: {
        type: 'boolean',
        description:
          'Whether the user signs in at the identity provider. Without `subject`, the first person with this name becomes this user. Default: unchanged.',
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
      user: { type: ['string', 'null'], description: 'The user of the session, or the maker of the token.' },
      label: { type: 'string', maxLength: LABEL_MAX_LENGTH },
      createdAt: seconds,
      expiresAt: secondsOrNever,
      lastUsed: {
        type: ['integer', 'null'],
        description: 'The last day on which the session or token was used.',
      },
      isCurrent: { type: 'boolean', description: 'Whether this request came with this session or token.' },
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
        description: 'Default: it does not end.',
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

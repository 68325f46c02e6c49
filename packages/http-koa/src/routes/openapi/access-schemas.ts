import {
  LABEL_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  roles,
  TOKEN_MAX_DAYS,
  USER_NAME_MAX_LENGTH,
  actions,
} from '@tallybook/domain';
import type { Schema } from './schema.js';

const role: Schema = { $ref: '#/components/schemas/Role' };
const seconds: Schema = { type: 'integer', minimum: 0 };
const secondsOrNever: Schema = { type: ['integer', 'null'], minimum: 0, description: 'Null for never.' };
const userName: Schema = { type: 'string', minLength: 1, maxLength: USER_NAME_MAX_LENGTH };
const password: Schema = { type: 'string', maxLength: PASSWORD_MAX_LENGTH };
const newPassword: Schema = {
  ...password,
  minLength: PASSWORD_MIN_LENGTH,
  description: 'Not one of those that are tried first. There are no rules of what it has to be made of.',
};

/** Values of `/api/session` and what else says who may do what. */
export const accessSchemas: Readonly<Record<string, Schema>> = {
  Role: { enum: roles, description: 'What somebody is to the service.' },
  Session: {
    type: 'object',
    description: 'Who asks, and what they may do.',
    properties: {
      access: {
        enum: ['open', 'unclaimed', 'claimed'],
        description:
          '`open`: there are no users, and everybody may do everything; `unclaimed`: there are none, and somebody has to set the service up; `claimed`: one has to sign in.',
      },
      user: {
        description: 'Null for who has not signed in. Of a token, its label.',
        oneOf: [
          { type: 'object', properties: { name: { type: 'string' }, role }, required: ['name', 'role'] },
          { type: 'null' },
        ],
      },
      actions: { type: 'array', items: { enum: actions }, description: 'What one may do.' },
      insecure: { type: 'boolean', description: 'Whether the service is open to a network on purpose.' },
      expiresAt: { ...secondsOrNever, description: 'When one has to sign in again; null for never.' },
      passkeys: {
        type: 'boolean',
        description: 'Whether somebody has a passkey for this host, and browsers take it here.',
      },
    },
    required: ['access', 'user', 'actions', 'insecure', 'expiresAt', 'passkeys'],
  },
  SignIn: {
    type: 'object',
    properties: { name: { type: 'string' }, password: { type: 'string' } },
    required: ['name', 'password'],
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
    properties: { name: userName, role, createdAt: seconds, hasPassword: { type: 'boolean' } },
    required: ['name', 'role', 'createdAt', 'hasPassword'],
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

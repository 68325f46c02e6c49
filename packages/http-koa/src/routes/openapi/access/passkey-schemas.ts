import { LABEL_MAX_LENGTH, PASSWORD_MAX_LENGTH } from '@tallybook/domain/access';
import type { Schema } from '../schema.js';

const text: Schema = { type: 'string' };
const seconds: Schema = { type: 'integer', minimum: 0 };

/**
 * Values of `/api/passkeys` and of signing in with passkeys. The values of WebAuthn have the form that browsers use.
 */
export const passkeySchemas: Readonly<Record<string, Schema>> = {
  Passkey: {
    type: 'object',
    description: 'A passkey. With it, a user signs in without a password.',
    properties: {
      id: text,
      user: { type: 'string', description: 'The user of the passkey.' },
      host: { type: 'string', description: 'The host name for which it is valid.' },
      label: { type: 'string', maxLength: LABEL_MAX_LENGTH },
      isSynced: { type: 'boolean', description: 'Whether it is copied to other devices of its owner.' },
      createdAt: seconds,
      lastUsed: { type: ['integer', 'null'], description: 'The last day of use.' },
    },
    required: ['id', 'user', 'host', 'label', 'isSynced', 'createdAt', 'lastUsed'],
  },
  Passkeys: {
    type: 'array',
    items: { $ref: '#/components/schemas/Passkey' },
    description: 'Ascending by user, then in the order in which they were made.',
  },
  PasskeyChallengeRequest: { type: 'object' },
  PasskeyRequestOptions: {
    type: 'object',
    description: '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn.',
    properties: {
      challenge: text,
      rpId: text,
      allowCredentials: {
        type: 'array',
        items: { type: 'object' },
        description: 'Empty: the device shows its own passkeys.',
      },
      userVerification: { const: 'required' },
      timeout: { type: 'integer', description: 'Milliseconds.' },
    },
    required: ['challenge', 'rpId', 'allowCredentials', 'userVerification', 'timeout'],
  },
  PasskeyAnswer: {
    type: 'object',
    description:
      '`AuthenticationResponseJSON` of WebAuthn: `toJSON()` of the result of `navigator.credentials.get()`.',
    properties: { id: text, rawId: text, type: { const: 'public-key' }, response: { type: 'object' } },
    required: ['id', 'rawId', 'type', 'response'],
  },
  PasskeyProof: {
    type: 'object',
    properties: { password: { type: 'string', maxLength: PASSWORD_MAX_LENGTH } },
    required: ['password'],
  },
  PasskeyCreationOptions: {
    type: 'object',
    description: '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn.',
    properties: {
      rp: { type: 'object' },
      user: { type: 'object' },
      challenge: text,
      pubKeyCredParams: { type: 'array', items: { type: 'object' } },
      timeout: { type: 'integer', description: 'Milliseconds.' },
      excludeCredentials: { type: 'array', items: { type: 'object' } },
      authenticatorSelection: { type: 'object' },
      attestation: { const: 'none' },
    },
    required: [
      'rp',
      'user',
      'challenge',
      'pubKeyCredParams',
      'timeout',
      'authenticatorSelection',
      'attestation',
    ],
  },
  NewPasskey: {
    type: 'object',
    properties: {
      label: { type: 'string', minLength: 1, maxLength: LABEL_MAX_LENGTH },
      answer: {
        type: 'object',
        description:
          '`RegistrationResponseJSON` of WebAuthn: `toJSON()` of the result of `navigator.credentials.create()`.',
      },
    },
    required: ['label', 'answer'],
  },
  PasskeyId: { type: 'object', properties: { id: text }, required: ['id'] },
};

import {
  array,
  boolean,
  component,
  integer,
  named,
  object,
  oneOf,
  optional,
  string,
  type TypeOf,
} from '../schema.js';
import { empty, fields, json, jsonBody, operation, refusal } from '../operation.js';
import { ofEverybody } from '../values.js';
import { password, signedIn, tooSoon } from './sign-in.js';
import { label, lastUsed, newLabel, seconds } from './users.js';

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

const unavailable = refusal(
  'Browsers offer no passkeys on this page, because it has no https or no host name; or nobody has a passkey for this host.',
);
const tooMany = refusal(
  'Browsers offer no passkeys on this page, or the user has the maximum number of passkeys.',
);
const challenge = 'The challenge is valid for five minutes and one answer.';

/** Signing in with passkeys, and managing them. */
export const passkeyOperations = {
  'POST /api/session/passkey/challenge': operation({
    id: 'challengePasskey',
    summary: 'Get a challenge to sign in with a passkey. The body is an empty object',
    action: 'public',
    body: jsonBody(object({})),
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
    isByGroup: true,
    query: { all: ofEverybody },
    answers: { 200: json(Passkeys) },
  }),
  'POST /api/passkeys': operation({
    id: 'addPasskey',
    summary: 'Add a passkey that a browser has created',
    action: 'signed-in',
    isByGroup: true,
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
    isByGroup: true,
    query: { id: string('Id of the passkey.') },
    answers: {
      204: empty('The passkey is removed.'),
      404: refusal('Nothing has this id, or it belongs to somebody else.'),
    },
  }),
  'POST /api/passkeys/challenge': operation({
    id: 'requestPasskey',
    summary: 'Get a challenge for a new passkey. Needs the password',
    action: 'signed-in',
    isByGroup: true,
    body: fields({ password }, 'PasskeyProof'),
    answers: {
      200: json(PasskeyCreationOptions, challenge),
      401: refusal('The password is wrong, or the client is not signed in.'),
      403: refusal('Only users with a password can have passkeys.'),
      409: tooMany,
      429: tooSoon,
    },
  }),
};

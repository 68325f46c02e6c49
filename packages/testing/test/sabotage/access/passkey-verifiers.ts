import { TallybookError } from '@tallybook/domain';
import type { ExpectedAnswer } from '@tallybook/domain/access';
import { ScriptedPasskeyVerifier, type ScriptedAnswer } from '@tallybook/testing';
import { faults, type Sabotage } from '../sabotage.js';

const MADE = 'refuses a passkey that was made elsewhere, for something else, or without verifying who it was';
const USED = 'refuses what was signed elsewhere, for something else, or without verifying who it was';

/** The expectation with a part replaced by the answer's own claim. */
function believing(answer: object, expected: ExpectedAnswer, part: 'origin' | 'host'): ExpectedAnswer {
  const { place } = answer as Partial<ScriptedAnswer>;
  return { ...expected, [part]: place?.[part] };
}

/** Two careless verifiers: one for made passkeys, one for used ones. */
function careless(
  fault: string,
  look: (answer: object, expected: ExpectedAnswer) => readonly [object, ExpectedAnswer],
): readonly Sabotage<typeof ScriptedPasskeyVerifier>[] {
  return faults(ScriptedPasskeyVerifier, {
    [`${fault} when a passkey is made`]: {
      fails: [MADE],
      verifyMade: (sound) => (answer, expected) => sound(...look(answer, expected)),
    },
    [`${fault} when a passkey is used`]: {
      fails: [USED],
      verifyUsed: (sound) => (answer, expected, key) => sound(...look(answer, expected), key),
    },
  });
}

export const passkeyVerifierSabotages: readonly Sabotage<typeof ScriptedPasskeyVerifier>[] = [
  ...careless('takes any origin', (answer, expected) => [answer, believing(answer, expected, 'origin')]),
  ...careless('takes any host', (answer, expected) => [answer, believing(answer, expected, 'host')]),
  ...careless('takes any challenge', (answer, expected) => [
    answer,
    { ...expected, isChallenge: () => true },
  ]),
  ...careless('takes who is there for who it is', (answer, expected) => [
    { ...answer, isVerified: true },
    expected,
  ]),
  ...faults(ScriptedPasskeyVerifier, {
    'cannot check what every device has': class extends ScriptedPasskeyVerifier {
      static readonly fails = ['can check ES256, which every device has'];
      override readonly algorithms = [-257];
    },
    'forgets that a passkey is on other devices too': {
      fails: ['takes a passkey that was made, and gives what there is to know of it'],
      verifyMade: (sound) => async (answer, expected) => ({
        ...(await sound(answer, expected)),
        isSynced: false,
      }),
    },
    'gives keys with the padding of base64': {
      fails: ['takes a passkey that was made, and gives what there is to know of it'],
      verifyMade: (sound) => async (answer, expected) => {
        const made = await sound(answer, expected);
        return { ...made, publicKey: `${made.publicKey}==` };
      },
      verifyUsed: (sound) => (answer, expected, key) => sound(answer, expected, key?.replace(/==$/, '')),
    },
    'gives all devices one id': {
      fails: ['distinguishes devices'],
      verifyMade: (sound) => async (answer, expected) => ({
        ...(await sound(answer, expected)),
        credentialId: 'one',
      }),
    },
    'wants a counter that grows': {
      fails: ['takes what was signed, and gives challenge and counter, whatever that is'],
      verifyUsed: (sound) => async (answer, expected, key) => {
        const used = await sound(answer, expected, key);
        return used?.counter === 5 ? undefined : used;
      },
    },
    'takes what any device has signed': {
      fails: ['refuses what another device has signed'],
      verifyUsed: (sound) => (answer, expected, key) => {
        const { key: own } = answer as Partial<ScriptedAnswer>;
        return sound(answer, expected, key?.startsWith('key-') === true ? own : key);
      },
    },
    'takes a passkey that nobody has': {
      fails: ['refuses what was signed with an unknown passkey'],
      verifyUsed: (sound) => (answer, expected, key) =>
        sound(answer, expected, key ?? (answer as Partial<ScriptedAnswer>).key),
    },
    'takes everything where no key is kept': {
      fails: ['refuses what was signed if the stored key is empty'],
      verifyUsed: (sound) => (answer, expected, key) =>
        sound(answer, expected, key === '' ? (answer as Partial<ScriptedAnswer>).key : key),
    },
    'takes a sign-in for a passkey that was made': {
      fails: ['accepts neither a sign-in as a new passkey nor a new passkey as a sign-in'],
      verifyMade: (sound) => (answer, expected) => sound({ ...answer, kind: 'made' }, expected),
    },
    'takes a passkey that was made for a sign-in': {
      fails: ['accepts neither a sign-in as a new passkey nor a new passkey as a sign-in'],
      verifyUsed: (sound) => (answer, expected, key) => sound({ ...answer, kind: 'used' }, expected, key),
    },
    'breaks when it is sent rubbish for a passkey': {
      fails: ['refuses what is not an answer'],
      verifyMade: (sound) => (answer, expected) => {
        if (!('place' in answer)) return Promise.reject(new TypeError('place is undefined'));
        return sound(answer, expected);
      },
    },
    'rejects when it is sent rubbish to sign in with': {
      fails: ['refuses what is not an answer'],
      verifyUsed: (sound) => (answer, expected, key) => {
        const error = new TallybookError('INVALID_PASSKEY', 'it is none');
        return 'place' in answer ? sound(answer, expected, key) : Promise.reject(error);
      },
    },
  }),
];

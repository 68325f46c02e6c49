import assert from 'node:assert/strict';
import type { ExpectedAnswer, PasskeyPlace, PasskeyVerifier } from '@tallybook/domain/access';
import { casesOf, runCases, type ContractCase, type ContractOptions, type TestRunner } from '../../runner.js';

/** Request of a browser to a device. */
export interface PasskeyRequest extends PasskeyPlace {
  readonly challenge: string;
  /** Number of uses, counted by the device. Default: 0, as of a device that does not count. */
  readonly counter?: number;
  /** Whether the device verifies its user. Default: true. */
  readonly isVerified?: boolean;
  /** Whether the passkey is copied to other devices of its owner. Default: false. */
  readonly isSynced?: boolean;
}

/** A device with one key, and the browser in front of it. */
export interface PasskeyDevice {
  /** Its answer to a request for a new passkey: `RegistrationResponseJSON`. */
  readonly make: (request: PasskeyRequest) => object;
  /** Its answer to a request to sign in: `AuthenticationResponseJSON`. */
  readonly use: (request: PasskeyRequest) => object;
}

export type PasskeyVerifierContractOptions = ContractOptions<
  () => { readonly verifier: PasskeyVerifier; readonly newDevice: () => PasskeyDevice }
>;

/** Checks the promises of {@link PasskeyVerifier}, except the one about time. */
export function passkeyVerifierContract(runner: TestRunner, options: PasskeyVerifierContractOptions): void {
  runCases(runner, 'a PasskeyVerifier', cases, options);
}

const place: PasskeyPlace = { origin: 'https://tally.example:8443', host: 'tally.example' };
const challenge = 'c'.repeat(104);
const request: PasskeyRequest = { ...place, challenge };
const expected: ExpectedAnswer = { ...place, isChallenge: (text) => text === challenge };

/** Requests whose answers must be refused. */
const wrong: readonly PasskeyRequest[] = [
  { ...request, origin: 'https://evil.example' },
  { ...request, origin: 'http://tally.example:8443' },
  { ...request, origin: 'https://tally.example' },
  { ...request, host: 'example' },
  { ...request, challenge: 'd'.repeat(104) },
  { ...request, isVerified: false },
];

const rubbish: readonly object[] = [
  {},
  [],
  { id: 7 },
  { id: 'AA', response: null },
  { response: { signature: [] } },
];

function on(
  title: string,
  check: (subject: ReturnType<PasskeyVerifierContractOptions['make']>) => Promise<void>,
): ContractCase<PasskeyVerifierContractOptions['make']> {
  return [title, (make) => check(make())];
}

function refuses(work: Promise<unknown>): Promise<void> {
  return assert.rejects(work, { code: 'INVALID_PASSKEY' });
}

const cases: readonly ContractCase<PasskeyVerifierContractOptions['make']>[] = casesOf(on, {
  'can check ES256, which every device has': async ({ verifier: { algorithms } }) => {
    await Promise.resolve();
    assert.ok(algorithms.includes(-7));
  },
  'takes a passkey that was made, and gives what there is to know of it': async ({ verifier, newDevice }) => {
    for (const [counter, isSynced] of [
      [0, true],
      [7, false],
    ] as const) {
      const answer = newDevice().make({ ...request, counter, isSynced });
      const { credentialId, publicKey, ...made } = await verifier.verifyMade(answer, expected);
      assert.deepEqual(made, { challenge, counter, isSynced });
      assert.match(credentialId, /^[\w-]{1,1364}$/);
      assert.match(publicKey, /^[\w-]+$/);
    }
  },
  'distinguishes devices': async ({ verifier, newDevice }) => {
    const [one, other] = [
      await verifier.verifyMade(newDevice().make(request), expected),
      await verifier.verifyMade(newDevice().make(request), expected),
    ];
    assert.notEqual(one.credentialId, other.credentialId);
    assert.notEqual(one.publicKey, other.publicKey);
  },
  'refuses a passkey that was made elsewhere, for something else, or without verifying who it was': async (
    subject,
  ) => {
    const { verifier, newDevice } = subject;
    for (const each of wrong) await refuses(verifier.verifyMade(newDevice().make(each), expected));
  },
  'takes what was signed, and gives challenge and counter, whatever that is': async (subject) => {
    const { verifier, newDevice } = subject;
    const device = newDevice();
    const { publicKey } = await verifier.verifyMade(device.make({ ...request, counter: 5 }), expected);
    for (const counter of [0, 5, 2 ** 32 - 1]) {
      const used = await verifier.verifyUsed(device.use({ ...request, counter }), expected, publicKey);
      assert.deepEqual(used, { challenge, counter });
    }
  },
  'refuses what was signed elsewhere, for something else, or without verifying who it was': async (
    subject,
  ) => {
    const { verifier, newDevice } = subject;
    const device = newDevice();
    const { publicKey } = await verifier.verifyMade(device.make(request), expected);
    for (const each of wrong) {
      assert.equal(await verifier.verifyUsed(device.use(each), expected, publicKey), undefined);
    }
  },
  'refuses what another device has signed': async ({ verifier, newDevice }) => {
    const { publicKey } = await verifier.verifyMade(newDevice().make(request), expected);
    assert.equal(await verifier.verifyUsed(newDevice().use(request), expected, publicKey), undefined);
  },
  'refuses what was signed with an unknown passkey': async ({ verifier, newDevice }) => {
    assert.equal(await verifier.verifyUsed(newDevice().use(request), expected, undefined), undefined);
  },
  'refuses what was signed if the stored key is empty': async ({ verifier, newDevice }) => {
    for (const kept of ['', 'AAAA']) {
      assert.equal(await verifier.verifyUsed(newDevice().use(request), expected, kept), undefined);
    }
  },
  'accepts neither a sign-in as a new passkey nor a new passkey as a sign-in': async (subject) => {
    const { verifier, newDevice } = subject;
    const device = newDevice();
    const { publicKey } = await verifier.verifyMade(device.make(request), expected);
    await refuses(verifier.verifyMade(device.use(request), expected));
    assert.equal(await verifier.verifyUsed(device.make(request), expected, publicKey), undefined);
  },
  'refuses what is not an answer': async ({ verifier, newDevice }) => {
    const { publicKey } = await verifier.verifyMade(newDevice().make(request), expected);
    for (const answer of rubbish) {
      await refuses(verifier.verifyMade(answer, expected));
      assert.equal(await verifier.verifyUsed(answer, expected, publicKey), undefined);
    }
  },
});

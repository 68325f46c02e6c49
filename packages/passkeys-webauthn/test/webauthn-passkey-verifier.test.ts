import { generateKeyPairSync } from 'node:crypto';
import { WebauthnPasskeyVerifier } from '@tallybook/passkeys-webauthn';
import { expect } from 'chai';
import { challenge, expected, handle, host, origin } from './expected.js';
import { cbor, SoftAuthenticator, type Deviation } from './soft-authenticator.js';

const verifier = new WebauthnPasskeyVerifier();

/** Message of a rejected promise. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'taken';
  } catch (error) {
    expect((error as { code?: string }).code).to.equal('INVALID_PASSKEY');
    return (error as Error).message;
  }
}

async function keyOf(device: SoftAuthenticator): Promise<string> {
  return (await verifier.verifyMade(device.create(challenge), expected)).publicKey;
}

describe('WebauthnPasskeyVerifier, for a new passkey', () => {
  for (const [kind, synced] of [
    ['ec', false],
    ['rsa', true],
  ] as const)
    it(`accepts one of ${kind}, ${synced ? 'synced' : 'of one device'}`, async () => {
      const device = new SoftAuthenticator(origin, host, kind);
      const made = await verifier.verifyMade(
        device.create(challenge, { counter: 3, flags: synced ? 64 | 16 | 8 | 4 | 1 : 64 | 4 | 1 }),
        expected,
      );
      expect(made).to.deep.equal({
        ...{ challenge, counter: 3, isSynced: synced },
        credentialId: device.credentialId.toString('base64url'),
        publicKey: device.cose.toString('base64url'),
      });
    });

  const ed25519 = cbor(
    new Map<unknown, unknown>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, Buffer.alloc(32, 1)],
    ]),
  );
  const refused: readonly (readonly [what: string, deviation: Deviation, says: RegExp])[] = [
    ['of another origin', { origin: 'https://evil.example' }, /origin/],
    ['of the same name on another port', { origin: 'https://tally.example' }, /origin/],
    ['of another host', { host: 'evil.example' }, /RP ID/],
    ['that is an answer to a sign-in', { type: 'webauthn.get' }, /type/],
    ['for which nobody was there', { flags: 64 | 4 }, /presence/],
    ['for which it was not verified who is there', { flags: 64 | 1 }, /verif/],
    ['made in a frame of another page', { crossOrigin: true }, /frame/],
    ['with a key of another kind', { cose: ed25519 }, /alg/],
    ['with a key that is none', { cose: cbor(new Map()) }, /./],
    ['with a key that is rubbish', { cose: Buffer.of(0xff, 0xff) }, /./],
  ];
  for (const [what, deviation, says] of refused) {
    it(`refuses one ${what}`, async () => {
      const device = new SoftAuthenticator(origin, host);
      const message = await refusal(verifier.verifyMade(device.create(challenge, deviation), expected));
      expect(message).to.match(says);
      expect(message).to.match(/^[\x20-\x7e]{1,240}$/);
    });
  }

  const attested: readonly (readonly [fmt: string, attStmt: Deviation['attStmt']])[] = [
    ['made-up', []],
    ['none', [['x', 1]]],
    [
      'packed',
      [
        ['alg', -7],
        ['sig', Buffer.alloc(70, 1)],
      ],
    ],
    [
      'packed',
      [
        ['alg', -7],
        ['sig', Buffer.of(1)],
        ['x5c', [Buffer.of(1, 2, 3)]],
      ],
    ],
    ['apple', [['x5c', [Buffer.of(1)]]]],
    ['tpm', [['ver', '2.0']]],
    ['android-key', []],
    ['fido-u2f', []],
  ];
  for (const [fmt, attStmt = []] of attested) {
    it(`ignores an attestation: ${fmt} with ${attStmt.length} parts`, async () => {
      const device = new SoftAuthenticator(origin, host);
      const made = await verifier.verifyMade(device.create(challenge, { fmt, attStmt }), expected);
      expect(made.publicKey).to.equal(device.cose.toString('base64url'));
    });
  }

  it('refuses an invalid answer with a clear message', async () => {
    const right = new SoftAuthenticator(origin, host).create(challenge);
    for (const answer of rubbishLike(right)) {
      expect(await refusal(verifier.verifyMade(answer, expected)), JSON.stringify(answer)).not.to.equal(
        'taken',
      );
    }
  });
});

describe('WebauthnPasskeyVerifier, for a sign-in with a passkey', () => {
  for (const kind of ['ec', 'rsa'] as const)
    it(`accepts the signature of a key of ${kind}, and gives its counter of any value`, async () => {
      const device = new SoftAuthenticator(origin, host, kind);
      const key = await keyOf(device);
      for (const counter of [0, 7, 2 ** 32 - 1]) {
        expect(
          await verifier.verifyUsed(device.get(challenge, handle, { counter }), expected, key),
        ).to.deep.equal({ challenge, counter });
      }
    });

  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const refused: readonly (readonly [what: string, deviation: Deviation])[] = [
    ['with another key', { key }],
    ['for another origin', { origin: 'http://tally.example:8443' }],
    ['for another host', { host: 'example' }],
    ['as an answer to the making of one', { type: 'webauthn.create' }],
    ['while nobody was there', { flags: 4 }],
    ['without verifying who is there', { flags: 1 }],
    ['in a frame of a page of another site', { crossOrigin: true }],
  ];
  for (const [what, deviation] of refused) {
    it(`refuses an answer that was signed ${what}`, async () => {
      const device = new SoftAuthenticator(origin, host);
      const answer = device.get(challenge, handle, deviation);
      expect(await verifier.verifyUsed(answer, expected, await keyOf(device))).to.equal(undefined);
    });
  }

  it('refuses another challenge, a changed answer, and an invalid answer', async () => {
    const device = new SoftAuthenticator(origin, host);
    const publicKey = await keyOf(device);
    const right = device.get(challenge, handle);
    const other = device.get(challenge, handle, { counter: 9 });
    const mixed = {
      ...right,
      response: {
        ...(right['response'] as object),
        authenticatorData: (other['response'] as { authenticatorData: string }).authenticatorData,
      },
    };
    for (const answer of [device.get('another', handle), mixed, ...rubbishLike(right)]) {
      expect(await verifier.verifyUsed(answer, expected, publicKey), JSON.stringify(answer)).to.equal(
        undefined,
      );
    }
  });

  it('refuses every signature if the stored key is invalid', async () => {
    const device = new SoftAuthenticator(origin, host);
    for (const kept of ['', 'AAAA', '____']) {
      expect(await verifier.verifyUsed(device.get(challenge, handle), expected, kept)).to.equal(undefined);
    }
  });
});

/** Answers with one part replaced by something else. */
function rubbishLike(right: Record<string, unknown>): readonly Record<string, unknown>[] {
  const rubbish = [
    undefined,
    null,
    7,
    '',
    'é',
    '\u0000',
    [],
    {},
    'A'.repeat(10_000),
    Buffer.alloc(2_000, 0x9f).toString('base64url'),
  ];
  const inside = Object.keys(right['response'] as object).filter(
    (key) => key !== 'transports' && key !== 'userHandle',
  );
  return rubbish.flatMap((value) => [
    ...['id', 'rawId', 'type', 'response'].map((key) => ({ ...right, [key]: value })),
    ...inside.map((key) => ({ ...right, response: { ...(right['response'] as object), [key]: value } })),
  ]);
}

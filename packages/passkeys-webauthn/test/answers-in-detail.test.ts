import { createPrivateKey } from 'node:crypto';
import { isTallybookError, type TallybookError } from '@tallybook/domain';
import type { ExpectedAnswer } from '@tallybook/domain/access';
import { WebauthnPasskeyVerifier } from '@tallybook/passkeys-webauthn';
import { expect } from 'chai';
import { readClientData } from '../src/client-data.js';
import { withoutAttestation } from '../src/without-attestation.js';
import { challenge, expected, handle, host, origin } from './expected.js';
import { cbor, SoftAuthenticator } from './soft-authenticator.js';

/** Base point of the curve P-256. */
const BASE_POINT = {
  x: '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  y: '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
};

const verifier = new WebauthnPasskeyVerifier();
const device = new SoftAuthenticator(origin, host);

type Registration = Parameters<typeof withoutAttestation>[0];

/** The answer of a device with a given attestation. */
function attestedBy(attestationObject: Buffer): Registration {
  const made = device.create(challenge);
  const response = {
    ...(made['response'] as object),
    attestationObject: attestationObject.toString('base64url'),
  };
  return { ...made, response } as unknown as Registration;
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.fail('it was expected to reject'),
    (error: unknown) => error as Error,
  );
}

async function refusalOf(answer: object): Promise<TallybookError> {
  const error = await failureOf(verifier.verifyMade(answer, expected));
  if (!isTallybookError(error, 'INVALID_PASSKEY')) throw error;
  return error;
}

function clientData(data: object): { readonly response: { readonly clientDataJSON: string } } {
  return { response: { clientDataJSON: Buffer.from(JSON.stringify(data)).toString('base64url') } };
}

describe('the client data of a browser', () => {
  it('have the challenge', () => {
    expect(readClientData(clientData({ challenge: 'ä' }))).to.deep.equal({ challenge: 'ä' });
  });

  it('are refused if they are from a frame on a page of another site, and only then', () => {
    for (const crossOrigin of [undefined, false])
      expect(readClientData(clientData({ challenge, crossOrigin })).challenge).to.equal(challenge);
    expect(() => readClientData(clientData({ challenge, crossOrigin: true }))).to.throw(/in a frame/);
  });
});

describe('an attestation', () => {
  it('is removed, and the rest of the answer stays', async () => {
    const authData = Buffer.from('what the device says');
    const by = (fmt: string, attStmt: Map<unknown, unknown>): Registration =>
      attestedBy(cbor(new Map<unknown, unknown>(Object.entries({ fmt, attStmt, authData }))));
    const attested = by('packed', new Map([['sig', Buffer.of(1)]]));
    expect(await withoutAttestation(attested)).to.deep.equal(by('none', new Map()));
  });

  for (const [what, value] of [
    ['is no map', 'authData'],
    ['is a list', [Buffer.of(1)]],
    ['lacks authData', new Map([['fmt', 'none']])],
    ['has authData as text', new Map([['authData', 'text']])],
  ] as const) {
    it(`is refused if it ${what}`, async () => {
      const error = await failureOf(withoutAttestation(attestedBy(cbor(value))));
      expect(error.message).to.equal('its attestationObject has no authData');
    });
  }
});

describe('the refusal of a passkey', () => {
  it('has the reason, and keeps the thrown error as its cause', async () => {
    const error = await refusalOf(device.create('another'));
    expect(error.message).to.match(/^this passkey cannot be taken: .*challenge/);
    expect(error.cause).to.be.instanceOf(Error);
  });

  it('has only printable characters, at most 200 of them from the library', async () => {
    const long = `${'x'.repeat(300)}\u0007é`;
    const { message } = await refusalOf({ ...device.create(challenge), type: `\u0007é${long}` });
    expect(message).to.match(/^this passkey cannot be taken: [\x20-\x7e]{200}$/);
    expect(message).to.include('xxx').and.not.include('\u0007');
  });

  it('says that it is no answer of a browser if the thrown value is no error', async () => {
    const answer = {
      get response(): never {
        // oxlint-disable-next-line typescript/only-throw-error -- the test is about a value that is no error
        throw 'a text';
      },
    };
    expect((await refusalOf(answer)).message).to.equal(
      'this passkey cannot be taken: it is no answer of a browser',
    );
  });
});

describe('a key of a passkey', () => {
  /** A key of P-256 with one more member, which gives it this length. */
  function keyOf(bytes: number): Buffer {
    const filled = (length: number): Buffer => {
      const [, x, y] = /215820(.{64})225820(.{64})/.exec(device.cose.toString('hex')) ?? [];
      return cbor(
        new Map<unknown, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x ?? '', 'hex')],
          [-3, Buffer.from(y ?? '', 'hex')],
          [-70, Buffer.alloc(length)],
        ]),
      );
    };
    return filled(300 + bytes - filled(300).length);
  }

  it('has 1,024 bytes at most', async () => {
    expect(keyOf(1_024)).to.have.lengthOf(1_024);
    const { publicKey } = await verifier.verifyMade(
      device.create(challenge, { cose: keyOf(1_024) }),
      expected,
    );
    expect(Buffer.from(publicKey, 'base64url')).to.have.lengthOf(1_024);
    expect((await refusalOf(device.create(challenge, { cose: keyOf(1_025) }))).message).to.match(
      /its key has more than 1024 bytes$/,
    );
  });

  it('is of one of the two requested kinds', () => {
    expect(verifier.algorithms).to.deep.equal([-7, -257]);
  });
});

describe('the sign-in with a passkey', () => {
  it('checks its challenge, and no other one', async () => {
    const { publicKey } = await verifier.verifyMade(device.create(challenge), expected);
    const asked: string[] = [];
    const isChallenge = (text: string): boolean => {
      asked.push(text);
      return true;
    };
    const used = await verifier.verifyUsed(
      device.get('x', handle, { counter: 5 }),
      { ...expected, isChallenge },
      publicKey,
    );
    expect(used).to.deep.equal({ challenge: 'x', counter: 5 });
    expect(asked).to.deep.equal(['x']);
  });

  it('checks an unknown passkey like every other, and refuses an answer signed with the substitute key', async () => {
    // That key is the base point of P-256, so its private key is known: 1.
    const one = Buffer.alloc(32);
    one[31] = 1;
    const key = createPrivateKey({
      format: 'jwk',
      key: {
        ...{ kty: 'EC', crv: 'P-256', d: one.toString('base64url') },
        x: Buffer.from(BASE_POINT.x, 'hex').toString('base64url'),
        y: Buffer.from(BASE_POINT.y, 'hex').toString('base64url'),
      },
    });
    let asked = 0;
    const isChallenge = (): boolean => asked++ >= 0;
    const answer = device.get(challenge, handle, { key });
    expect(await verifier.verifyUsed(answer, { ...expected, isChallenge }, undefined)).to.equal(undefined);
    expect(asked).to.equal(1);
  });

  it('refuses a challenge that is no text', async () => {
    const { publicKey } = await verifier.verifyMade(device.create(challenge), expected);
    const all: ExpectedAnswer = { ...expected, isChallenge: () => true };
    for (const other of [7, null, [challenge]] as unknown as readonly string[]) {
      expect(await verifier.verifyUsed(device.get(other, handle), all, publicKey)).to.equal(undefined);
      const error = await failureOf(verifier.verifyMade(device.create(other), all));
      expect(error).to.have.property('code', 'INVALID_PASSKEY');
    }
  });
});

import { expect } from 'chai';
import { makePasskey, signWithPasskey, whyNoPasskeys } from '../src/parts/access/browser-passkeys.js';

/** A passkey as a browser has it. */
class FakeCredential {
  static parseCreationOptionsFromJSON = (options: object): object => ({ parsed: 'to make', ...options });
  static parseRequestOptionsFromJSON = (options: object): object => ({ parsed: 'to sign', ...options });
  private readonly made: object;

  constructor(made: object) {
    this.made = made;
  }

  toJSON(): object {
    return this.made;
  }
}

/** Replaces parts of the browser until the end of the test. */
function replacing(): (name: string, value: unknown) => void {
  const before = new Map<string, PropertyDescriptor | undefined>();
  afterEach(() => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
    before.clear();
  });
  return (name, value) => {
    if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true });
  };
}

describe('the passkeys of a browser', () => {
  const replace = replacing();

  for (const [protocol, hostname, why] of [
    ['https:', 'hall.example', undefined],
    ['http:', 'localhost', undefined],
    ['http:', 'hall.example', 'insecure'],
    ['http:', '192.168.1.5', 'insecure'],
    ['https:', '192.168.1.5', 'address'],
    ['https:', '[fd00::1]', 'address'],
  ] as const) {
    it(`are ${why === undefined ? 'there' : `missing (${why})`} at ${protocol}//${hostname}`, () => {
      replace('PublicKeyCredential', FakeCredential);
      expect(whyNoPasskeys({ protocol, hostname })).to.equal(why);
    });
  }

  it('are missing in a browser that does not know their form', () => {
    const place = { protocol: 'https:', hostname: 'hall.example' };
    replace('PublicKeyCredential', undefined);
    expect(whyNoPasskeys(place)).to.equal('browser');
    replace('PublicKeyCredential', () => undefined);
    expect(whyNoPasskeys(place)).to.equal('browser');
  });

  it('are made, and sign, by what the service asks for', async () => {
    replace('PublicKeyCredential', FakeCredential);
    const answer = (asked: object): Promise<object> => Promise.resolve(new FakeCredential(asked));
    replace('navigator', { credentials: { create: answer, get: answer } });
    const options = { challenge: 'c' };
    expect(await makePasskey(options)).to.deep.equal({ publicKey: { parsed: 'to make', challenge: 'c' } });
    expect(await signWithPasskey(options)).to.deep.equal({
      publicKey: { parsed: 'to sign', challenge: 'c' },
    });
  });

  it('are none where somebody cancelled', async () => {
    replace('PublicKeyCredential', FakeCredential);
    replace('navigator', { credentials: { get: () => Promise.resolve(null) } });
    const failure: unknown = await signWithPasskey({}).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(DOMException).with.property('name', 'NotAllowedError');
  });
});

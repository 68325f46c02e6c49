import { expect } from 'chai';
import { parseSecrets, sign } from '../../src/webhook/signature.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('sign', () => {
  it('gives the signature of the example of Standard Webhooks', () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    const secrets = parseSecrets(SECRET) ?? [];
    expect(sign(secrets, signed)).to.equal('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('parseSecrets', () => {
  const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;

  it('accepts secrets of 24 to 64 bytes, one a line, with every kind of line end', () => {
    const secrets = parseSecrets(`${secretOf(24)}\r\n\n \t\n ${secretOf(64)} \n`);
    expect(secrets?.map(({ length }) => length)).to.deep.equal([24, 64]);
  });

  for (const [what, text] of Object.entries({
    nothing: '',
    'empty lines': '\n \n',
    'a secret that is too short': secretOf(23),
    'a secret that is too long': secretOf(65),
    'a secret without its prefix': SECRET.slice('whsec_'.length),
    'what is not base64': `${SECRET}!`,
    'base64 that is cut off': SECRET.slice(0, -1),
    'a sound line and another one': `${SECRET}\nsecret`,
  })) {
    it(`refuses ${what}`, () => {
      expect(parseSecrets(text)).to.equal(undefined);
    });
  }
});

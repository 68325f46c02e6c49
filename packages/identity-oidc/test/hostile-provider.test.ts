import { inspect } from 'node:util';
import { isTallybookError, type ErrorCode, type TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { OidcIdentityProvider, type OidcOptions } from '../src/index.js';
import { ForgingProvider, signed, unsigned, type Forgery } from './fixtures/forging-provider.js';

const redirectUrl = 'http://127.0.0.1:8080/';

let forger: ForgingProvider;

/** Gives each test of a `describe` a provider of its own. */
function useForger(): void {
  beforeEach(async () => {
    forger = await ForgingProvider.start();
  });
  afterEach(() => forger[Symbol.asyncDispose]());
}

function providerOf(options: Partial<OidcOptions> = {}): OidcIdentityProvider {
  return new OidcIdentityProvider({
    issuer: forger.issuer,
    clientId: forger.clientId,
    redirectUrl,
    ...options,
  });
}

async function failureOf(work: Promise<unknown>): Promise<TallybookError> {
  const error = await work.then(
    (value) => new Error(`it was taken: ${inspect(value)}`),
    (reason: unknown) => reason,
  );
  if (!isTallybookError(error)) throw error;
  // The log must contain neither the browser's answer nor the tokens.
  expect(inspect(error, { depth: 10 })).not.to.match(/a-code|secret-access|eyJ|@example\.org/);
  return error;
}

/** Error of a sign-in at such a provider. */
async function tried(forgery: Forgery, options: Partial<OidcOptions> = {}): Promise<TallybookError> {
  forger.forgery = forgery;
  const provider = providerOf(options);
  return await failureOf(
    provider.begin().then(({ url, ticket }) => provider.finish(ticket, forger.answer(url))),
  );
}

const now = Math.floor(Date.now() / 1000);
const lies: Readonly<Record<string, Forgery>> = {
  'is refused if it is for somebody else who asked': { claims: { nonce: 'another' } },
  'is refused if it has no nonce': { claims: { nonce: undefined } },
  'is refused if it is of another issuer': { claims: { iss: 'https://evil.example' } },
  'is refused if it is for several services, and says not which': {
    claims: { aud: ['tallybook', 'another'] },
  },
  'is refused if it has expired': { claims: { iat: now - 7_200, exp: now - 3_600 } },
  'is refused if it never ends': { claims: { exp: undefined } },
  'is refused if it is not valid yet': { claims: { nbf: now + 3_600 } },
  'names nobody': { claims: { sub: undefined } },
  'is refused if it has a subject of several lines': { claims: { sub: 'ada\nadmin' } },
  'is refused if it has a subject without an end': { claims: { sub: 'a'.repeat(10_000) } },
  'is refused if it has a subject that is no text': { claims: { sub: { admin: true } } },
  'is refused if it is not signed': { sign: unsigned },
  'is refused if it is signed with another key': { sign: (claims, { foreign }) => signed(claims, foreign) },
  'is refused if it is signed with a key that the provider does not have': {
    sign: (claims, { foreign }) => signed(claims, foreign, 'two'),
  },
  'is refused if it was changed after it was signed': {
    sign: async (claims, { own }) => {
      const [head, , signature] = (await signed(claims, own)).split('.');
      const body = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url');
      return [head, body, signature].join('.');
    },
  },
};

describe('signing out at a provider', () => {
  useForger();

  for (const place of [
    'javascript:alert(1)',
    7,
    'nonsense',
    ' ',
    '',
    null,
    {},
    'http://id.example.org/out',
  ]) {
    it(`has no address if the provider names ${JSON.stringify(place)}`, async () => {
      forger.forgery = { metadata: { end_session_endpoint: place } };
      expect(await providerOf().signOutUrl()).to.equal(undefined);
    });
  }
});

describe('an ID token', () => {
  useForger();

  it('is accepted if all of it fits', async () => {
    const provider = providerOf();
    const { url, ticket } = await provider.begin();
    expect(await provider.finish(ticket, forger.answer(url))).to.deep.equal({
      ...{ issuer: forger.issuer, subject: 'ada', name: 'ada', groups: [] },
    });
    expect(forger.asked[0]?.get('code_verifier')).to.match(/^[\w-]{43}$/);
  });

  for (const [what, forgery] of Object.entries(lies)) {
    it(what, async () => {
      expect(await tried(forgery)).to.have.property('code', 'IDENTITY_REFUSED');
    });
  }

  it('is refused if it is for another service', async () => {
    expect(await tried({ claims: { aud: 'another' } })).to.have.property('code', 'IDENTITY_REFUSED');
  });

  it('is refused if it is not signed, which the provider supports', async () => {
    const metadata = { id_token_signing_alg_values_supported: ['none', 'ES256'] };
    expect(await tried({ sign: unsigned, metadata })).to.have.property('code', 'IDENTITY_REFUSED');
  });

  it('is refused if userinfo names another person', async () => {
    const error = await tried({ userinfo: { sub: 'eve', groups: ['admins'] } }, { groupsClaim: 'groups' });
    expect(error).to.have.property('code', 'IDENTITY_REFUSED');
  });

  it('has priority over userinfo', async () => {
    forger.forgery = { userinfo: { preferred_username: 'root', groups: ['a', 7, null, 'b'] } };
    const provider = providerOf({ groupsClaim: 'groups' });
    const { url, ticket } = await provider.begin();
    const { name, groups } = await provider.finish(ticket, forger.answer(url));
    expect([name, groups]).to.deep.equal(['ada', ['a', 'b']]);
  });
});

describe('the answer of a browser', () => {
  useForger();

  const answers: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
    'has no state': { state: undefined },
    'has the state of somebody else': { state: 'A'.repeat(43) },
    'comes from another provider': { iss: 'https://evil.example' },
    'does not say which provider it comes from, though this one does': { iss: undefined },
    'has no code': { code: undefined },
    'says that the person did not want to': { code: undefined, error: 'access_denied' },
  };
  for (const [what, changes] of Object.entries(answers)) {
    it(`is refused if it ${what}`, async () => {
      const provider = providerOf();
      const { url, ticket } = await provider.begin();
      const error = await failureOf(provider.finish(ticket, forger.answer(url, changes)));
      expect(error).to.have.property('code', 'IDENTITY_REFUSED');
      expect(forger.asked).to.deep.equal([]);
    });
  }

  it('is invalid in the browser of another person, and without a browser', async () => {
    const provider = providerOf();
    const [mine, theirs] = [await provider.begin(), await provider.begin()];
    for (const ticket of [theirs.ticket, '', 'x', `${mine.ticket}.x`, 'ä'.repeat(43)]) {
      const error = await failureOf(provider.finish(ticket, forger.answer(mine.url)));
      expect(error).to.have.property('code', 'IDENTITY_REFUSED');
    }
    expect(forger.asked).to.deep.equal([]);
  });

  it('is refused if it is rubbish', async () => {
    const provider = providerOf();
    const { url, ticket } = await provider.begin();
    const state = new URL(url).searchParams.get('state') ?? '';
    for (const answer of [
      '',
      '?',
      '%',
      '&&&',
      `state=${state}&state=${state}`,
      `state=${state}&code=%ff`,
      `state=${state}#x`,
    ]) {
      const error = await failureOf(provider.finish(ticket, answer));
      expect(error.code, answer).to.be.oneOf(['IDENTITY_REFUSED', 'IDENTITY_UNAVAILABLE']);
    }
  });

  it('is refused if its code has expired or was used already', async () => {
    const token: Forgery['token'] = (response) =>
      response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"invalid_grant"}');
    expect(await tried({ token })).to.have.property('code', 'IDENTITY_REFUSED');
  });
});

describe('a provider', () => {
  useForger();

  const json = { 'Content-Type': 'application/json' };
  const answers: Readonly<Record<string, Forgery['token']>> = {
    'answers with 500': (response) => response.writeHead(500).end('down'),
    'answers with a page': (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    'answers with broken JSON': (response) => response.writeHead(200, json).end('{'),
    'answers without an end': (response) => {
      response.writeHead(200, json);
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
    'sends elsewhere': (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    'hangs up': (response) => response.destroy(),
    'says nothing': () => undefined,
    'does not know this service': (response) =>
      response.writeHead(401, json).end('{"error":"invalid_client"}'),
  };
  for (const [what, answer = () => undefined] of Object.entries(answers)) {
    it(`is unavailable if it ${what}`, async () => {
      for (const forgery of [{ discovery: answer }, { token: answer }]) {
        const error = await tried(forgery, { timeoutMs: 300 });
        expect(error).to.have.property('code', 'IDENTITY_UNAVAILABLE' satisfies ErrorCode);
      }
    });
  }

  const metadata: Readonly<
    Record<string, readonly [metadata: Readonly<Record<string, unknown>>, why: RegExp]>
  > = {
    'is another one than was asked for': [{ issuer: 'https://evil.example' }, /issuer is not exactly/],
    'sends people to an address in the clear': [
      { authorization_endpoint: 'http://evil.example/authorize' },
      /not https/,
    ],
    'sends people to a script': [{ authorization_endpoint: 'javascript:alert(1)' }, /not https/],
    'wants the code at an address in the clear': [
      { token_endpoint: 'http://evil.example/token' },
      /not https/,
    ],
    'has its keys at an address in the clear': [{ jwks_uri: 'http://evil.example/jwks' }, /not https/],
    'has its keys at an address of another kind': [{ jwks_uri: 'ftp://evil.example/jwks' }, /not https/],
    'has no place for codes': [{ token_endpoint: undefined }, /lacks an address/],
  };
  for (const [what, [changes, why]] of Object.entries(metadata)) {
    it(`is unavailable if it ${what}, and the reason says so`, async () => {
      const error = await tried({ metadata: changes });
      expect(error).to.have.property('code', 'IDENTITY_UNAVAILABLE');
      expect((error as Error).message).to.match(why);
    });
  }

  it('is asked again after it was away', async () => {
    const provider = providerOf();
    forger.forgery = { discovery: (response) => response.writeHead(503).end() };
    expect(await failureOf(provider.begin())).to.have.property('code', 'IDENTITY_UNAVAILABLE');
    forger.forgery = {};
    expect((await provider.begin()).url).to.include(forger.issuer);
  });

  it('is unavailable if nothing listens there, and the reason says so', async () => {
    await forger.stop();
    const error = await failureOf(providerOf().begin());
    expect(error).to.have.property('code', 'IDENTITY_UNAVAILABLE');
    expect(error.details).to.deep.equal({ reason: 'ECONNREFUSED' });
  });

  it('is not asked if the secret cannot be read, and people who sign in do not see why', async () => {
    const readSecret = (): Promise<string> => Promise.reject(new Error('the file /etc/secret is empty'));
    const error = await failureOf(providerOf({ readSecret }).begin());
    expect(error).to.have.property('code', 'IDENTITY_UNAVAILABLE');
    expect(error.message).not.to.include('/etc/secret');
    expect(error.details).to.deep.equal({ reason: 'secret', problem: 'the file /etc/secret is empty' });
  });

  it('gets the secret in the form if it accepts no header', async () => {
    const secret = 'a secret of this service';
    for (const [methods, isInForm] of [
      [undefined, false],
      [['client_secret_post', 'client_secret_basic'], false],
      [['client_secret_post'], true],
    ] as const) {
      forger.forgery = { metadata: { token_endpoint_auth_methods_supported: methods } };
      const provider = providerOf({ readSecret: () => Promise.resolve(secret) });
      const { url, ticket } = await provider.begin();
      await provider.finish(ticket, forger.answer(url));
      expect(forger.asked.at(-1)?.get('client_secret')).to.equal(isInForm ? secret : null);
      expect(forger.shown.at(-1)?.startsWith('Basic ') ?? false).to.equal(!isInForm);
    }
  });
});

import { isTallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { OidcIdentityProvider, type OidcOptions } from '../src/index.js';
import { ForgingProvider, type Forgery } from './fixtures/forging-provider.js';

const redirectUrl = 'http://127.0.0.1:8080/';
const HOUR_MS = 3_600_000;

/** Puts the monotonic clock of this process ahead. */
class Ahead implements Disposable {
  readonly #now = performance.now.bind(performance);
  #byMs = 0;

  constructor() {
    performance.now = () => this.#now() + this.#byMs;
  }

  go(byMs: number): void {
    this.#byMs += byMs;
  }

  [Symbol.dispose](): void {
    performance.now = this.#now;
  }
}

function providerOf(forger: ForgingProvider, options: Partial<OidcOptions> = {}): OidcIdentityProvider {
  const { issuer, clientId } = forger;
  return new OidcIdentityProvider({ issuer, clientId, redirectUrl, ...options });
}

/** A provider, and how often its metadata were read. */
function counting(forger: ForgingProvider): {
  readonly provider: OidcIdentityProvider;
  readonly times: () => number;
} {
  let times = 0;
  const provider = providerOf(forger, {
    fetch: (input, init) => {
      if (new URL(input).pathname.includes('well-known')) times++;
      return fetch(input, init);
    },
  });
  return { provider, times: () => times };
}

/** Result of a sign-in: the subject, or the code of the error. */
async function signIn(forgery: Forgery, options: Partial<OidcOptions> = {}): Promise<string> {
  await using forger = await ForgingProvider.start();
  forger.forgery = forgery;
  const provider = providerOf(forger, options);
  const { url, ticket } = await provider.begin();
  try {
    return (await provider.finish(ticket, forger.answer(url))).subject;
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return error.code;
  }
}

describe('the metadata of a provider', () => {
  it('are read again after an hour, and not before', async () => {
    await using forger = await ForgingProvider.start();
    using clock = new Ahead();
    const { provider, times } = counting(forger);
    await provider.begin();
    clock.go(HOUR_MS - 60_000);
    await provider.begin();
    expect(times()).to.equal(1);
    clock.go(60_000);
    await provider.begin();
    expect(times()).to.equal(2);
  });
});

describe('a provider whose first metadata lack something', () => {
  it('is asked again after a failure, at most once a minute', async () => {
    await using forger = await ForgingProvider.start();
    using clock = new Ahead();
    const { provider, times } = counting(forger);
    const tried = async (): Promise<string> => {
      const { url, ticket } = await provider.begin();
      const found = provider.finish(ticket, forger.answer(url)).then(({ subject }) => subject);
      return found.catch((error: unknown) => (isTallybookError(error) ? error.code : String(error)));
    };
    forger.forgery = { metadata: { jwks_uri: undefined } };
    expect(await tried()).to.equal('IDENTITY_UNAVAILABLE');
    forger.forgery = {};
    clock.go(50_000);
    expect([await tried(), times()]).to.deep.equal(['IDENTITY_UNAVAILABLE', 1]);
    clock.go(10_000);
    expect([await tried(), times()]).to.deep.equal(['ada', 2]);
    clock.go(HOUR_MS - 1_000);
    expect([await tried(), times()]).to.deep.equal(['ada', 2]);
  });

  it('is asked again too if people could not be sent there', async () => {
    await using forger = await ForgingProvider.start();
    using clock = new Ahead();
    forger.forgery = { metadata: { authorization_endpoint: undefined } };
    const provider = providerOf(forger);
    expect(await provider.begin().catch((error: unknown) => error)).to.have.property(
      'code',
      'IDENTITY_UNAVAILABLE',
    );
    forger.forgery = {};
    clock.go(60_000);
    expect((await provider.begin()).url).to.include(forger.issuer);
  });
});

describe('a request to a provider', () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  afterEach(() => (AbortSignal.timeout = timeout));

  async function waits(options: Partial<OidcOptions>): Promise<ReadonlySet<number>> {
    const asked = new Set<number>();
    AbortSignal.timeout = (delayMs) => {
      asked.add(delayMs);
      return timeout(delayMs);
    };
    await signIn({ userinfo: { groups: ['staff'] } }, { groupsClaim: 'groups', ...options });
    return asked;
  }

  it('may take five seconds, or the given time', async () => {
    expect([...(await waits({}))]).to.deep.equal([5_000]);
    expect([...(await waits({ timeoutMs: 60_000 }))]).to.deep.equal([60_000]);
  });
});

describe('the times of an ID token', () => {
  const now = Math.floor(Date.now() / 1_000);
  const at = (): number => now;
  const ISSUED = { iat: now - 600 };

  it('may be a minute off, like clocks', async () => {
    expect(await signIn({ claims: { ...ISSUED, exp: now - 50 } }, { now: at })).to.equal('ada');
    expect(await signIn({ claims: { nbf: now + 50 } }, { now: at })).to.equal('ada');
  });

  it('may not be two minutes off', async () => {
    const refused = 'IDENTITY_REFUSED';
    expect(await signIn({ claims: { ...ISSUED, exp: now - 120 } }, { now: at })).to.equal(refused);
    expect(await signIn({ claims: { nbf: now + 120 } }, { now: at })).to.equal(refused);
  });

  it('are compared with the clock of the service, also if the system clock is a day off', async () => {
    const day = 86_400;
    for (const shift of [-day, day]) {
      const claims = { iat: now + shift, exp: now + shift + 300 };
      expect(await signIn({ claims }, { now: () => now + shift })).to.equal('ada');
    }
  });
});

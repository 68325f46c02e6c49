import { TallybookClientError, type Session } from '@tallybook/client';
import { expect } from 'chai';
import { Access, keepPlace, takeProviderAnswer } from '../../src/state/access.js';

type Surroundings = Parameters<typeof takeProviderAnswer>[0];

/** A tab of a browser at an address. */
class Tab {
  readonly kept = new Map<string, string>();
  address: URL;

  constructor(address: string) {
    this.address = new URL(address, 'http://tally.test');
  }

  get window(): Surroundings {
    const storage = {
      getItem: (key: string) => this.kept.get(key) ?? null,
      setItem: (key: string, value: string) => void this.kept.set(key, value),
      removeItem: (key: string) => void this.kept.delete(key),
    };
    const history = {
      replaceState: (_state: unknown, _title: string, to: string) =>
        (this.address = new URL(to, this.address)),
    };
    return { location: this.address, history, sessionStorage: storage } as unknown as Surroundings;
  }
}

describe('what an identity provider sends the browser back with', () => {
  it('is taken out of the address, and leads to where one was, once', () => {
    const tab = new Tab('/hall/#/names');
    keepPlace(tab.window);
    expect([...tab.kept]).to.deep.equal([['tallybook:place', '#/names']]);
    tab.address = new URL('/hall/?code=c&state=s&iss=i', tab.address);
    expect(takeProviderAnswer(tab.window)).to.equal('code=c&state=s&iss=i');
    expect(tab.address.href).to.equal('http://tally.test/hall/#/names');
    expect([...tab.kept]).to.deep.equal([]);
    expect(takeProviderAnswer(tab.window)).to.equal(undefined);
  });

  it('may be that nobody signed in', () => {
    const tab = new Tab('/?error=access_denied&state=s');
    expect(takeProviderAnswer(tab.window)).to.equal('error=access_denied&state=s');
    expect(tab.address.href).to.equal('http://tally.test/');
  });

  it('is no other query, which stays', () => {
    for (const address of ['/', '/?a=b', '/?code=c', '/?state=s', '/#/names?code=c&state=s']) {
      const tab = new Tab(address);
      expect(takeProviderAnswer(tab.window), address).to.equal(undefined);
      expect(tab.address.href).to.equal(`http://tally.test${address}`);
    }
  });

  it('leads to the first page where the browser keeps nothing, or something else', () => {
    const tab = new Tab('/?code=c&state=s');
    tab.kept.set('tallybook:place', '//evil.test/');
    takeProviderAnswer(tab.window);
    expect(tab.address.href).to.equal('http://tally.test/');
    const window = Object.defineProperty({ ...tab.window }, 'sessionStorage', {
      get: () => {
        throw new Error('it is told to keep nothing');
      },
    });
    expect(() => keepPlace(window)).not.to.throw();
    tab.address = new URL('http://tally.test/?code=c&state=s');
    expect(takeProviderAnswer(Object.assign(window, { location: tab.address }))).to.equal('code=c&state=s');
    expect(tab.address.href).to.equal('http://tally.test/');
  });
});

describe('coming from an identity provider', () => {
  const session: Session = {
    ...{ access: 'claimed', user: null, actions: [], isInsecure: false, expiresAt: null, provider: 'School' },
    ...{ groups: [], hasPasskeys: false },
  };

  it('is signed in', async () => {
    const user = { name: 'bob', role: 'viewer' } as const;
    const finishAtProvider = (answer: string): Promise<Session> =>
      Promise.resolve({ ...session, user, actions: answer === 'code=c' ? ['see-today'] : [] });
    const access = new Access(
      {
        finishAtProvider,
        readSession: () => Promise.reject(new Error()),
        signOut: () => Promise.resolve(true),
      },
      Date.now,
    );
    await access.arrive('code=c');
    expect([access.info.value?.user, access.may('see-today')]).to.deep.equal([user, true]);
  });

  it('is told why not, until one is signed in', async () => {
    const refusal = new TallybookClientError('http', 'no', { status: 403, code: 'IDENTITY_UNKNOWN' });
    const access = new Access(
      {
        finishAtProvider: () => Promise.reject(refusal),
        readSession: () => Promise.resolve(session),
        signOut: () => Promise.resolve(true),
      },
      Date.now,
    );
    await access.arrive('code=c');
    expect([access.refusal.value, access.isOutside()]).to.deep.equal([refusal, true]);
    access.take({ ...session, user: { name: 'ada', role: 'admin' } });
    expect(access.refusal.value).to.equal(undefined);
  });
});

import { readFileSync } from 'node:fs';
import { anyone, owner, type AccessService, type Principal } from '@tallybook/domain/access';
import { MemoryAccessStore } from '@tallybook/testing';
import { expect } from 'chai';
import { codeOf, home, PASSWORD, itWithViewer, itUnguarded, itWithAdmin as test } from './access-fixture.js';
import type { PasskeyFixture } from './passkey-fixture.js';
import { tally, itWithPasskeys } from './passkey-fixture.js';
import { rejectionOf } from '../fixtures/throws.js';

const OTHER = 'another horse battery';

/** Everything that a principal can change, by the name of the method. */
const operations: Readonly<Record<string, (access: AccessService, by: Principal) => Promise<unknown>>> = {
  'users.put': (access, by) => access.users.put(by, { name: 'mallory', role: 'admin', password: OTHER }),
  'users.remove': (access, by) => access.users.remove(by, 'bob'),
  'passwords.change': (access, by) =>
    access.passwords.change(by, { current: PASSWORD, password: OTHER, address: home.address }),
  'credentials.createToken': (access, by) =>
    access.credentials.createToken(by, { label: 'forever', role: 'admin' }),
  'credentials.revoke': (access, by) =>
    access.credentials.revoke(by, access.credentials.list(owner, { all: true })[0]?.id ?? 'none'),
  'passkeys.request': (access, by) =>
    access.passkeys.request(by, { password: PASSWORD, address: home.address }, tally),
  'passkeys.add': (access, by) =>
    access.passkeys.add(by, { label: 'phone', answer: { kind: 'made', isVerified: true } }, tally),
  'passkeys.remove': (access, by) =>
    access.passkeys.remove(by, access.passkeys.list(owner, { all: true })[0]?.id ?? ''),
};

type Lose = (fixture: PasskeyFixture) => unknown;

/** A principal who may change everything, and how it loses that. */
const ways: Readonly<Record<string, (fixture: PasskeyFixture) => Promise<readonly [Principal, Lose]>>> = {
  'the removal of its user': async (fixture) => [
    await boss(fixture),
    ({ access }) => access.users.remove(owner, 'boss'),
  ],
  'a smaller role': async (fixture) => [
    await boss(fixture),
    ({ access }) => access.users.put(owner, { name: 'boss', role: 'viewer' }),
  ],
  'a password that an admin has set': async (fixture) => [
    await boss(fixture),
    ({ access }) => access.users.put(owner, { name: 'boss', password: OTHER }),
  ],
  'signing out': async (fixture) => {
    const by = await boss(fixture);
    return [by, ({ access }) => access.credentials.signOut(by)];
  },
  'the end of its session': async (fixture) => [
    await boss(fixture),
    async ({ clock, access }) => {
      clock.advance(12 * 3_600_000);
      await access.refresh();
    },
  ],
  'the end of its token': async (fixture) => [
    await token(fixture, owner, 1),
    async ({ clock, access }) => {
      clock.advance(86_400_000);
      await access.refresh();
    },
  ],
  'the deletion of its token': async (fixture) => {
    const by = await token(fixture, owner);
    return [by, ({ access }) => access.credentials.revoke(owner, by.credential ?? '')];
  },
  'the removal of the user who made its token': async (fixture) => [
    await token(fixture, await boss(fixture)),
    ({ access }) => access.users.remove(owner, 'boss'),
  ],
  'the removal of the user whom a proxy has named': async (fixture) => {
    await boss(fixture);
    return [
      fixture.access.users.principalOf('boss') ?? owner,
      ({ access }) => access.users.remove(owner, 'boss'),
    ];
  },
  'a removal at another server': async (fixture) => [
    await boss(fixture),
    ({ store }) => store.change({ removeUsers: ['boss'] }),
  ],
};

async function boss(fixture: PasskeyFixture): Promise<Principal> {
  await fixture.access.users.put(owner, { name: 'boss', role: 'admin', password: PASSWORD });
  return fixture.signIn('boss');
}

async function token({ access }: PasskeyFixture, by: Principal, days?: number): Promise<Principal> {
  const made = await access.credentials.createToken(by, { label: 'program', role: 'admin', days });
  return access.credentials.authenticate('token', made.token) ?? owner;
}

describe('a principal that has lost its right', () => {
  for (const [way, arrange] of Object.entries(ways)) {
    itWithPasskeys(`changes nothing after ${way}`, async (fixture) => {
      await fixture.add(await fixture.signIn('bob'), 'phone');
      const [by, lose] = await arrange(fixture);
      await lose(fixture);
      const before = await fixture.store.read();
      for (const [name, operate] of Object.entries(operations)) {
        const code = await codeOf(operate(fixture.access, by));
        expect(code, name).to.be.oneOf([
          'NOT_SIGNED_IN',
          'NOT_ALLOWED',
          'SIGN_IN_REFUSED',
          'INVALID_PASSKEY',
        ]);
        if (/^users|^credentials|remove$/.test(name)) {
          expect(code, name).to.equal('NOT_SIGNED_IN');
        }
        expect(await fixture.store.read(), name).to.deep.equal(before);
      }
    });
  }

  it('is looked for in every operation that takes one', () => {
    const files = {
      users: 'users/user-keeper.ts',
      credentials: 'credentials/credential-keeper.ts',
      passwords: 'passwords/password-sign-in.ts',
      passkeys: 'passkeys/passkey-keeper.ts',
    };
    const found = Object.entries(files).flatMap(([part, file]) => {
      const source = readFileSync(new URL(`../../src/access/${file}`, import.meta.url), 'utf8');
      const methods = source.matchAll(/^ {2}(?:async )?(\w+)\(\s*(?:by|principal): Principal,/gm);
      return [...methods].map(([, name]) => `${part}.${name}`).filter((name) => !name.endsWith('.list'));
    });
    expect(found).to.have.members(Object.keys(operations));
  });

  test('changes nothing if it loses the right while the new password is hashed', async (fixture) => {
    const { principal: by } = await fixture.access.passwords.signIn('admin', PASSWORD, home);
    const hash = fixture.secrets.hash.bind(fixture.secrets);
    fixture.secrets.hash = async (password) => {
      await fixture.access.users.remove(owner, 'admin');
      return hash(password);
    };
    const putting = fixture.access.users.put(by, { name: 'mallory', role: 'admin', password: OTHER });
    await rejectionOf('NOT_SIGNED_IN', putting);
    expect(fixture.access.users.list().map(({ name }) => name)).to.deep.equal(['ada']);
  });

  test('changes nothing if a change before its own, which it did not see, takes the right away', async (fixture) => {
    const { principal: by } = await fixture.access.passwords.signIn('admin', PASSWORD, home);
    const codes = await Promise.all([
      codeOf(fixture.access.users.put(owner, { name: 'admin', role: 'viewer' })),
      codeOf(fixture.access.credentials.createToken(by, { label: 'forever', role: 'admin' })),
    ]);
    expect(codes).to.deep.equal(['none', 'NOT_SIGNED_IN']);
  });

  test('has the present role if a proxy names it: an admin who is a viewer now makes no token', async (fixture) => {
    const by = fixture.access.users.principalOf('admin') ?? owner;
    await fixture.access.users.put(owner, { name: 'admin', role: 'viewer' });
    const making = fixture.access.credentials.createToken(by, { label: 'forever', role: 'admin' });
    await rejectionOf('NOT_ALLOWED', making);
  });
});

describe('the first user of an open service', () => {
  const mallory = { name: 'mallory', role: 'admin', password: OTHER };

  itUnguarded('is the only one whom a stranger makes: one who was slower adds nobody', async (fixture) => {
    const codes = await Promise.all([
      codeOf(fixture.access.users.put(anyone, { name: 'ada', password: PASSWORD })),
      codeOf(fixture.access.users.put(anyone, mallory)),
    ]);
    expect(codes).to.have.members(['none', 'NOT_SIGNED_IN']);
    expect(fixture.access.users.list()).to.have.lengthOf(1);
  });

  itUnguarded('is seen at once at another server, where a stranger adds nobody after it', async (fixture) => {
    await using other = await fixture.another();
    await fixture.access.users.put(anyone, { name: 'ada', password: PASSWORD });
    await rejectionOf('NOT_SIGNED_IN', other.users.put(anyone, mallory));
  });
});

describe('catching up before a right is checked', () => {
  itWithViewer('sees the removal of a session at another server', async (fixture) => {
    await using other = await fixture.another();
    const { secret } = await fixture.access.passwords.signIn('viewer', PASSWORD, home);
    await other.catchUp();
    expect(other.credentials.authenticate('session', secret)?.name).to.equal('viewer');
    await fixture.access.users.remove(owner, 'viewer');
    await other.catchUp();
    expect(other.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  itWithPasskeys('goes on with what is known if the store cannot be read', async (fixture) => {
    fixture.store.revision = () => Promise.reject(new Error('away'));
    await fixture.access.catchUp();
    expect(fixture.access.state).to.equal('claimed');
    fixture.store.revision = MemoryAccessStore.prototype.revision.bind(fixture.store);
  });
});

describe('a session', () => {
  test('has the role that its user has when it begins, not when the password was given', async (fixture) => {
    const check = fixture.secrets.check.bind(fixture.secrets);
    fixture.secrets.check = async (...given) => {
      await fixture.access.users.put(owner, { name: 'admin', role: 'viewer' });
      return check(...given);
    };
    const { principal } = await fixture.access.passwords.signIn('admin', PASSWORD, home);
    expect(principal.role).to.equal('viewer');
    expect(fixture.access.credentials.list(owner, { all: true })[0]?.role).to.equal('viewer');
  });
});

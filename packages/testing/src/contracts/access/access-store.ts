import assert from 'node:assert/strict';
import { DAY_MAX, parseGroupId, toDay, toTimestamp } from '@tallybook/domain';
import {
  roles,
  type AccessRecord,
  type AccessStore,
  type Credential,
  type User,
  type UserIdentity,
  type UserPasskeys,
} from '@tallybook/domain/access';
import { casesOf, type TestRunner } from '../../runner.js';
import { oddTexts } from '../fixtures.js';
import { runStoreContract } from '../store-contract.js';
import { acrossRestart, onStore, type StoreContractOptions } from '../store-subject.js';

const latest = toTimestamp(Number.MAX_SAFE_INTEGER);
const ada: User = {
  name: 'ada',
  role: 'admin',
  password: '$scrypt$ln=15,r=8,p=3$c2FsdA$aGFzaA',
  createdAt: toTimestamp(1_763_500_000),
};
const bob: User = { name: 'bob', role: 'desk', password: undefined, createdAt: toTimestamp(1_763_500_100) };
const session: Credential = {
  id: '2222222222222222',
  digest: 'a'.repeat(64),
  kind: 'session',
  role: 'admin',
  user: 'ada',
  label: 'Firefox on Linux',
  createdAt: toTimestamp(1_763_500_200),
  expiresAt: toTimestamp(1_763_600_000),
  lastUsed: toDay(20_411),
};
const token: Credential = {
  id: '1111111111111111',
  digest: 'b'.repeat(64),
  kind: 'token',
  role: 'device',
  user: undefined,
  label: 'door',
  createdAt: toTimestamp(1_763_500_300),
  expiresAt: undefined,
  lastUsed: undefined,
};
const passkeys: UserPasskeys = {
  handle: 'h'.repeat(43),
  keys: [
    {
      ...{ id: '3333333333333333', credentialId: 'A'.repeat(1_364), publicKey: 'pQECAyYgASFYIA', counter: 0 },
      ...{ host: 'tally.example', label: 'Adas „Telefon“ 👩‍💻', isSynced: true },
      ...{ createdAt: toTimestamp(1_763_500_400), lastUsed: undefined },
    },
    {
      ...{ id: '2222222222222222', credentialId: '_-', publicKey: 'pAEDAzkBAA', counter: 2 ** 32 - 1 },
      ...{ host: 'localhost', label: 'key', isSynced: false, createdAt: latest, lastUsed: toDay(DAY_MAX) },
    },
  ],
  spent: [{ nonce: 'n'.repeat(32), until: latest }],
};
const secret = 's'.repeat(43);
const nothing: AccessRecord = { users: [], credentials: [] };

/** Checks the promises of {@link AccessStore}. */
export function accessStoreContract(runner: TestRunner, options: StoreContractOptions<AccessStore>): void {
  runStoreContract(runner, options, {
    port: 'an AccessStore',
    operations: {
      read: (store) => store.read(),
      change: (store) => store.change({ putUsers: [ada] }),
      revision: (store) => store.revision(),
    },
    cases,
    restartCases,
  });
}

const cases = casesOf(onStore<AccessStore>, {
  'has no users and no credentials at first': async (store) => {
    assert.deepEqual(await store.read(), nothing);
  },
  'reads users and credentials as they were put': async (store) => {
    await store.change({ putUsers: [ada, bob], putCredentials: [token, session] });
    assert.deepEqual(await store.read(), { users: [ada, bob], credentials: [token, session] });
  },
  'keeps whom an identity provider vouches for, in every form': async (store) => {
    const subject = '"\\äß👩‍👩‍👧‍👦' + 'x'.repeat(240);
    const identities: readonly UserIdentity[] = [
      { issuer: undefined, subject: undefined, isRoleGranted: false },
      { issuer: undefined, subject, isRoleGranted: false },
      { issuer: 'https://id.example.org/a', subject, isRoleGranted: false },
      { issuer: 'https://id.example.org/a', subject: '0', isRoleGranted: true },
    ];
    const users = identities.map((identity, n) => ({ ...bob, name: `user ${n}`, identity }));
    await store.change({ putUsers: users });
    assert.deepEqual((await store.read()).users, users);
    await store.change({ putUsers: [{ ...bob, name: 'user 3' }] });
    assert.deepEqual((await store.read()).users, [...users.slice(0, 3), { ...bob, name: 'user 3' }]);
  },
  'keeps the passkeys of a user as they were put, and those of nobody else': async (store) => {
    const keyholder = { ...ada, passkeys };
    await store.change({ putUsers: [keyholder, bob] });
    assert.deepEqual((await store.read()).users, [keyholder, bob]);
    const emptied = { ...ada, passkeys: { ...passkeys, keys: [], spent: [] } };
    await store.change({ putUsers: [emptied] });
    assert.deepEqual((await store.read()).users, [emptied, bob]);
    await store.change({ putUsers: [ada] });
    assert.deepEqual((await store.read()).users, [ada, bob]);
  },
  'keeps the groups of a user as they were put, and those of nobody else': async (store) => {
    const bound = { ...bob, groups: ['7b', 'chor a'].map(parseGroupId) };
    await store.change({ putUsers: [ada, bound] });
    assert.deepEqual((await store.read()).users, [ada, bound]);
    const rebound = { ...bob, groups: [parseGroupId('7c')] };
    await store.change({ putUsers: [rebound] });
    assert.deepEqual((await store.read()).users, [ada, rebound]);
    await store.change({ putUsers: [bob] });
    assert.deepEqual((await store.read()).users, [ada, bob]);
  },
  'keeps the latest secret of the service, and none at first': async (store) => {
    assert.equal((await store.read()).secret, undefined);
    for (const each of [secret, 't'.repeat(43)]) {
      await store.change({ secret: each });
      await store.change({ putCredentials: [token] });
      await store.change({ removeCredentials: [token.id] });
      assert.equal((await store.read()).secret, each);
    }
  },
  'reads users by name and credentials by id, both ascending': async (store) => {
    const users = ['zoe', 'ab', 'a', 'b', 'a b', 'é'].map((name) => ({ ...ada, name }));
    const credentials = ['9', 'A', 'a', '10', '_', '-'].map((id) => ({ ...token, id }));
    await store.change({ putUsers: users, putCredentials: credentials });
    const record = await store.read();
    assert.deepEqual(
      record.users.map(({ name }) => name),
      ['a', 'a b', 'ab', 'b', 'zoe', 'é'],
    );
    assert.deepEqual(
      record.credentials.map(({ id }) => id),
      ['-', '10', '9', 'A', '_', 'a'],
    );
  },
  'keeps every role and the first and the last time and day': async (store) => {
    const users = roles.map((role) => ({ ...ada, name: role, role, createdAt: latest }));
    const credentials = roles.map((role) => ({ ...token, id: role, role }));
    const first: Credential = {
      ...session,
      createdAt: toTimestamp(0),
      expiresAt: toTimestamp(0),
      lastUsed: toDay(0),
    };
    const last: Credential = { ...token, createdAt: latest, expiresAt: latest, lastUsed: DAY_MAX };
    await store.change({ putUsers: users, putCredentials: [...credentials, first, last] });
    assert.deepEqual(
      byText(await store.read()),
      byText({ users, credentials: [...credentials, first, last] }),
    );
  },
  'keeps every character of a name, a label and a password': async (store) => {
    const texts = [...oddTexts, 'x'.repeat(64)];
    const users = texts.map((text) => ({ ...ada, name: text, password: text }));
    const credentials = texts.map((text, n) => ({ ...session, id: `id ${n}`, user: text, label: text }));
    await store.change({ putUsers: users, putCredentials: credentials });
    assert.deepEqual(byText(await store.read()), byText({ users, credentials }));
  },
  'keeps a user and a credential of the same name apart': async (store) => {
    await store.change({ putUsers: [ada], putCredentials: [{ ...token, id: 'ada' }] });
    await store.change({ removeUsers: ['ada'] });
    assert.deepEqual(await store.read(), { users: [], credentials: [{ ...token, id: 'ada' }] });
  },
  'puts a user and a credential in the place of the one before': async (store) => {
    await store.change({ putUsers: [ada, bob], putCredentials: [token, session] });
    const changed = { ...bob, name: 'ada' };
    const revised: Credential = { ...session, lastUsed: undefined, expiresAt: latest, label: 'phone' };
    await store.change({ putUsers: [changed], putCredentials: [revised] });
    assert.deepEqual(await store.read(), { users: [changed, bob], credentials: [token, revised] });
  },
  'removes what is named and nothing else': async (store) => {
    await store.change({ putUsers: [ada, bob], putCredentials: [token, session] });
    await store.change({ removeUsers: ['bob'], removeCredentials: [token.id] });
    assert.deepEqual(await store.read(), { users: [ada], credentials: [session] });
  },
  'does nothing when something is removed that is not there': async (store) => {
    await store.change({ putUsers: [ada], putCredentials: [session] });
    await store.change({ removeUsers: ['ad', 'ada ', ''], removeCredentials: ['2', token.id, ''] });
    await store.change({});
    assert.deepEqual(await store.read(), { users: [ada], credentials: [session] });
  },
  'has what is removed and put at the same time': async (store) => {
    await store.change({ putUsers: [ada], putCredentials: [token] });
    const revised = { ...token, label: 'gate' };
    await store.change({
      removeUsers: ['ada', 'bob'],
      putUsers: [ada, bob],
      removeCredentials: [token.id],
      putCredentials: [revised],
    });
    assert.deepEqual(await store.read(), { users: [ada, bob], credentials: [revised] });
  },
  'never shows a part of a change': async (store) => {
    const person = { users: [ada], credentials: [token, session] };
    const seen: AccessRecord[] = [];
    for (let n = 0; n < 10; n++) {
      await look(store, seen, store.change({ putUsers: person.users, putCredentials: person.credentials }));
      await look(
        store,
        seen,
        store.change({ removeUsers: ['ada'], removeCredentials: [token.id, session.id] }),
      );
    }
    for (const record of seen) {
      assert.deepEqual(record, record.users.length === 0 ? nothing : person);
    }
  },
  'loses nothing of changes at the same time': async (store) => {
    const many = Array.from({ length: 50 }, (_, n) => String(n).padStart(2, '0'));
    await Promise.all(
      many.map((name) =>
        store.change({ putUsers: [{ ...ada, name }], putCredentials: [{ ...token, id: name }] }),
      ),
    );
    assert.deepEqual(await store.read(), {
      users: many.map((name) => ({ ...ada, name })),
      credentials: many.map((id) => ({ ...token, id })),
    });
  },
  'makes changes at the same time in the order of the calls': async (store) => {
    await Promise.all([
      store.change({ putUsers: [ada], putCredentials: [token] }),
      store.change({ removeUsers: ['ada'], putCredentials: [{ ...token, label: 'gate' }] }),
      store.change({ putUsers: [{ ...ada, role: 'viewer' }], removeCredentials: [token.id] }),
      store.change({ putUsers: [{ ...ada, role: 'desk' }] }),
    ]);
    assert.deepEqual(await store.read(), { users: [{ ...ada, role: 'desk' }], credentials: [] });
  },
  'does not change what was read when more is written': async (store) => {
    await store.change({ putUsers: [ada], putCredentials: [session] });
    const before = await store.read();
    await store.change({ putUsers: [bob], removeUsers: ['ada'], removeCredentials: [session.id] });
    assert.deepEqual(before, { users: [ada], credentials: [session] });
  },
  'has another revision after each change': async (store) => {
    const revisions = [await store.revision()];
    for (const change of [
      { putUsers: [ada] },
      { putUsers: [{ ...ada, role: 'desk' as const }] },
      { putCredentials: [token] },
      { removeUsers: ['ada'] },
      { removeCredentials: [token.id] },
      { secret },
    ]) {
      await store.change(change);
      revisions.push(await store.revision());
    }
    assert.equal(new Set(revisions).size, revisions.length, `a revision came twice: ${revisions.join(', ')}`);
  },
  'gives the revision after a change': async (store) => {
    const first = await store.change({ putUsers: [ada] });
    assert.equal(first, await store.revision());
    const second = await store.change({ putCredentials: [token] }, first);
    assert.equal(second, await store.revision());
    assert.deepEqual(await store.read(), { users: [ada], credentials: [token] });
  },
  'changes nothing if somebody else was first': async (store) => {
    const before = await store.revision();
    const revision = await store.change({ putUsers: [ada], putCredentials: [token] });
    const late = await store.change(
      { putUsers: [bob], removeUsers: ['ada'], putCredentials: [session] },
      before,
    );
    assert.equal(late, undefined);
    assert.deepEqual(await store.read(), { users: [ada], credentials: [token] });
    assert.equal(await store.revision(), revision);
  },
  'accepts one of two changes that expect the same revision': async (store) => {
    const expected = await store.change({ putUsers: [ada] });
    const outcomes = await Promise.all([
      store.change({ putUsers: [bob] }, expected),
      store.change({ putCredentials: [token] }, expected),
    ]);
    assert.equal(outcomes.filter((outcome) => outcome !== undefined).length, 1);
    const { users, credentials } = await store.read();
    assert.equal(users.length + credentials.length, 2);
  },
  'keeps the revision while nothing changes': async (store) => {
    await store.change({ putUsers: [ada] });
    const revision = await store.revision();
    await store.read();
    assert.equal(await store.revision(), revision);
  },
});

const restartCases = casesOf(acrossRestart<AccessStore>, {
  'keeps what it acknowledged across a restart': [
    async (store) => {
      await store.change({ putUsers: [ada, bob], putCredentials: [token, session], secret });
      await store.change({ removeUsers: ['bob'], removeCredentials: [token.id] });
    },
    async (store) => {
      assert.deepEqual(await store.read(), { users: [ada], credentials: [session], secret });
    },
  ],
});

/** Reads during a change, and again after it. */
async function look(store: AccessStore, seen: AccessRecord[], changing: Promise<unknown>): Promise<void> {
  const [record] = await Promise.all([store.read(), changing]);
  seen.push(record, await store.read());
}

/** Sorts, so that the order does not depend on the store's way to compare texts. */
function byText({ users, credentials }: AccessRecord): readonly string[] {
  return [...users, ...credentials].map((each) => JSON.stringify(each)).sort();
}

import type { Revision } from '@tallybook/domain';
import type { AccessChanges, AccessRecord, Credential, User } from '@tallybook/domain/access';
import { MemoryAccessStore, type MemoryAccess } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Methods, showing } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends showing(MemoryAccessStore, 'access') {}

/** Changes the users that are put. */
const misputting = (change: (user: User, access: MemoryAccess) => User): Methods<Sabotaged> => ({
  change: (sound, fake) => (changes, expected) =>
    sound(
      { ...changes, putUsers: (changes.putUsers ?? []).map((user) => change(user, fake.access)) },
      expected,
    ),
});

/** Changes the credentials that are put. */
const misgiving = (change: (credential: Credential) => Credential): Methods<Sabotaged> => ({
  change: (sound) => (changes, expected) =>
    sound({ ...changes, putCredentials: (changes.putCredentials ?? []).map(change) }, expected),
});

const nobody: User = {
  name: 'nobody',
  role: 'viewer',
  password: undefined,
  createdAt: 0 as User['createdAt'],
};

const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

const PASSKEYS = 'keeps the passkeys of a user as they were put, and those of nobody else';
const GROUPS = 'keeps the groups of a user as they were put, and those of nobody else';
const SECRET = 'keeps the latest secret of the service, and none at first';
const operations = ['read', 'change', 'revision'];

export const accessStoreSabotages = [
  ...faults(Sabotaged, {
    'is not empty at first': class extends Sabotaged {
      static readonly fails = [
        'has no users and no credentials at first',
        'reads users by name and credentials by id, both ascending',
        'gives the revision after a change',
        'accepts one of two changes that expect the same revision',
      ];
      constructor(access: MemoryAccess) {
        super(access);
        if (access.changes === 0) access.users.set(nobody.name, nobody);
      }
    },
    'reads users and credentials in the order of writing': {
      fails: ['reads users by name and credentials by id, both ascending'],
      read: (sound, fake) => async () => ({
        ...(await sound()),
        users: [...fake.access.users.values()],
        credentials: [...fake.access.credentials.values()],
      }),
    },
    'keeps the role of a kiosk as that of a viewer': {
      fails: ['keeps every role and the first and the last time and day'],
      ...misputting((user) => ({ ...user, role: user.role === 'kiosk' ? 'viewer' : user.role })),
    },
    'keeps a link that was taken away': {
      fails: ['keeps whom an identity provider vouches for, in every form'],
      ...misputting((user, access) => {
        const identity = user.identity ?? access.users.get(user.name)?.identity;
        return { ...user, ...(identity && { identity }) };
      }),
    },
    'keeps the first secret of the service': {
      fails: [SECRET],
      change:
        (sound, fake) =>
        ({ secret, ...changes }, expected) => {
          const kept = fake.access.secret ?? secret;
          return sound({ ...changes, ...(kept !== undefined && { secret: kept }) }, expected);
        },
    },
    'keeps passkeys that are there no more': {
      fails: [PASSKEYS],
      ...misputting((user, access) => {
        const passkeys = user.passkeys ?? access.users.get(user.name)?.passkeys;
        return passkeys === undefined ? user : { ...user, passkeys };
      }),
    },
    'keeps groups that are there no more': {
      fails: [GROUPS],
      ...misputting((user, access) => {
        const groups = user.groups ?? access.users.get(user.name)?.groups;
        return groups === undefined ? user : { ...user, groups };
      }),
    },
    'keeps the first of several groups': {
      fails: [GROUPS],
      ...misputting((user) => (user.groups ? { ...user, groups: user.groups.slice(0, 1) } : user)),
    },
    'keeps passkeys by their ids': {
      fails: [PASSKEYS],
      ...misputting((user) => {
        if (user.passkeys === undefined) return user;
        const keys = [...user.passkeys.keys].sort((a, b) => (a.id < b.id ? -1 : 1));
        return { ...user, passkeys: { ...user.passkeys, keys } };
      }),
    },
    'forgets which challenges were answered': {
      fails: [PASSKEYS],
      ...misputting((user) =>
        user.passkeys === undefined ? user : { ...user, passkeys: { ...user.passkeys, spent: [] } },
      ),
    },
    'keeps texts in Latin-1': {
      fails: ['keeps every character of a name, a label and a password'],
      ...misgiving((credential) => ({ ...credential, label: latin1(credential.label) })),
    },
    'composes the characters of names': {
      fails: ['keeps every character of a name, a label and a password'],
      ...misputting((user) => ({ ...user, name: user.name.normalize('NFC') })),
    },
    'takes the role of everybody who signs in elsewhere from there': {
      fails: ['keeps whom an identity provider vouches for, in every form'],
      ...misputting((user) => {
        const { identity } = user;
        if (identity?.issuer === undefined) return user;
        return { ...user, identity: { ...identity, isRoleGranted: true } };
      }),
    },
    'keeps an end for ever of what has none': {
      fails: [
        'reads users and credentials as they were put',
        'puts a user and a credential in the place of the one before',
      ],
      ...misgiving((credential) => ({
        ...credential,
        expiresAt: credential.expiresAt ?? (0 as Credential['createdAt']),
      })),
    },
    'removes the credential that has the name of a removed user': {
      fails: ['keeps a user and a credential of the same name apart'],
      change: (sound, fake) => (changes, expected) => {
        for (const name of changes.removeUsers ?? []) fake.access.credentials.delete(name);
        return sound(changes, expected);
      },
    },
    'keeps the first user of a name and the first credential of an id': {
      fails: [
        'keeps whom an identity provider vouches for, in every form',
        PASSKEYS,
        'puts a user and a credential in the place of the one before',
        'has what is removed and put at the same time',
        'makes changes at the same time in the order of the calls',
      ],
      change: (sound, fake) => (changes, expected) => {
        const putUsers = (changes.putUsers ?? []).map((user) => fake.access.users.get(user.name) ?? user);
        const putCredentials = (changes.putCredentials ?? []).map(
          (each) => fake.access.credentials.get(each.id) ?? each,
        );
        return sound({ ...changes, putUsers, putCredentials }, expected);
      },
    },
    'removes everybody when somebody is removed': {
      fails: ['removes what is named and nothing else'],
      change: (sound, fake) => async (changes, expected) => {
        const { users } = fake.access;
        if ((changes.removeUsers ?? []).some((name) => users.has(name))) users.clear();
        return sound(changes, expected);
      },
    },
    'removes who has a name that begins like that of who is to be removed': {
      fails: [
        'does nothing when something is removed that is not there',
        'changes nothing if somebody else was first',
      ],
      change: (sound, fake) => async (changes, expected) => {
        for (const name of changes.removeUsers ?? []) {
          for (const other of fake.access.users.keys())
            if (other.startsWith(name)) fake.access.users.delete(other);
        }
        return sound(changes, expected);
      },
    },
    'removes after it has put': {
      fails: ['has what is removed and put at the same time'],
      change:
        (sound, fake) =>
        async ({ removeUsers = [], removeCredentials = [], ...puts }, expected) => {
          // The right store makes one operation too.
          const changing = sound(puts, expected);
          for (const name of removeUsers) fake.access.users.delete(name);
          for (const id of removeCredentials) fake.access.credentials.delete(id);
          return changing;
        },
    },
    'changes users first and credentials a moment later': {
      fails: ['lets change finish when close is called meanwhile', 'never shows a part of a change'],
      change: (sound) => async (changes, expected) => {
        const { putCredentials = [], removeCredentials = [], ...users } = changes;
        const revision = await sound(users, expected);
        return revision && sound({ putCredentials, removeCredentials });
      },
    },
    'loses what was changed while it reads and writes all of it': {
      fails: ['loses nothing of changes at the same time'],
      change: (sound, fake) => async (changes, expected) => {
        const users = new Map(fake.access.users);
        const revision = await sound(changes, expected);
        await Promise.resolve();
        for (const name of fake.access.users.keys()) {
          if (!users.has(name) && changes.putUsers?.every((user) => user.name !== name) === true) {
            fake.access.users.delete(name);
          }
        }
        return revision;
      },
    },
    'makes changes at the same time in the opposite order': {
      fails: ['makes changes at the same time in the order of the calls'],
      change: (sound, fake) => {
        const waiting: (() => void)[] = [];
        return (changes, expected) =>
          fake.run(
            () =>
              new Promise<Revision | undefined>((resolve, reject) => {
                if (waiting.length === 0) {
                  queueMicrotask(() => {
                    for (const work of waiting.splice(0).reverse()) work();
                  });
                }
                waiting.push(() => void sound(changes, expected).then(resolve, reject));
              }),
          );
      },
    },
    'gives out what it goes on changing': class extends Sabotaged {
      static readonly fails = ['does not change what was read when more is written'];
      readonly #record = { users: [] as User[], credentials: [] as Credential[] };

      override async read(): Promise<AccessRecord> {
        const { users, credentials, ...others } = await super.read();
        Object.assign(this.#record, others);
        this.#record.users.splice(0, Infinity, ...users);
        this.#record.credentials.splice(0, Infinity, ...credentials);
        return this.#record;
      }

      override async change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        const revision = await super.change(changes, expected);
        if (this.#record.users.length > 0) await this.read();
        return revision;
      }
    },
    'has one revision for ever': {
      fails: ['has another revision after each change', 'gives the revision after a change'],
      revision: (sound) => async () => {
        await sound();
        return 'one';
      },
    },
    'has another revision each time': {
      fails: ['keeps the revision while nothing changes'],
      revision: (sound) => {
        let asked = 0;
        return async () => `${await sound()}.${++asked}`;
      },
    },
    'changes whatever somebody else has changed meanwhile': {
      fails: ['accepts one of two changes that expect the same revision'],
      change: (sound) => (changes) => sound(changes),
    },
    'forgets credentials when it is closed': {
      fails: ['keeps what it acknowledged across a restart'],
      onClose: (_, fake) => async () => {
        fake.access.credentials.clear();
      },
    },
  }),
  ...closedStoreSabotages(MemoryAccessStore, operations),
];

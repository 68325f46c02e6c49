import type { Revision } from '@tallybook/domain';
import type { AccessChanges, AccessRecord, Credential, User } from '@tallybook/domain/access';
import { MemoryAccessStore, type MemoryAccess } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Sabotage } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends MemoryAccessStore {
  readonly access: MemoryAccess;

  constructor(access: MemoryAccess) {
    super(access);
    this.access = access;
  }
}

/** A fake whose sabotage changes the data that is read. */
abstract class Misreading extends Sabotaged {
  protected abstract misread(record: AccessRecord): AccessRecord;

  override async read(): Promise<AccessRecord> {
    return this.misread(await super.read());
  }
}

/** A fake whose sabotage changes the data that is put. */
abstract class Miswriting extends Sabotaged {
  protected misput(user: User): User {
    return user;
  }

  protected misgive(credential: Credential): Credential {
    return credential;
  }

  override change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
    const putUsers = (changes.putUsers ?? []).map((user) => this.misput(user));
    const putCredentials = (changes.putCredentials ?? []).map((credential) => this.misgive(credential));
    return super.change({ ...changes, putUsers, putCredentials }, expected);
  }
}

const nobody: User = {
  name: 'nobody',
  role: 'viewer',
  password: undefined,
  createdAt: 0 as User['createdAt'],
};

const latin1 = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

const PASSKEYS = 'keeps the passkeys of a user as they were put, and those of nobody else';
const SECRET = 'keeps the latest secret of the service, and none at first';
const operations = ['read', 'change', 'revision'];

export const accessStoreSabotages: readonly Sabotage<new (access: MemoryAccess) => MemoryAccessStore>[] = [
  ...faults<new (access: MemoryAccess) => MemoryAccessStore>({
    'is not empty at first': class extends Sabotaged {
      static readonly fails = [
        'has no users and no credentials at first',
        'reads users and credentials as they were put',
        'keeps whom an identity provider vouches for, in every form',
        PASSKEYS,
        'reads users by name and credentials by id, both ascending',
        'keeps every role and the first and the last time and day',
        'keeps every character of a name, a label and a password',
        'keeps a user and a credential of the same name apart',
        'puts a user and a credential in the place of the one before',
        'removes what is named and nothing else',
        'does nothing when something is removed that is not there',
        'has what is removed and put at the same time',
        'never shows a part of a change',
        'loses nothing of changes at the same time',
        'makes changes at the same time in the order of the calls',
        'does not change what was read when more is written',
        'gives the revision after a change',
        'changes nothing if somebody else was first',
        'lets one of two win who expect the same',
        'keeps what it acknowledged across a restart',
      ];
      constructor(access: MemoryAccess) {
        super(access);
        if (access.changes === 0) access.users.set(nobody.name, nobody);
      }
    },
    'reads users and credentials in the order of writing': class extends Misreading {
      static readonly fails = ['reads users by name and credentials by id, both ascending'];
      protected override misread(record: AccessRecord): AccessRecord {
        return {
          ...record,
          users: [...this.access.users.values()],
          credentials: [...this.access.credentials.values()],
        };
      }
    },
    'keeps the role of a kiosk as that of a viewer': class extends Miswriting {
      static readonly fails = ['keeps every role and the first and the last time and day'];
      protected override misput(user: User): User {
        return { ...user, role: user.role === 'kiosk' ? 'viewer' : user.role };
      }
    },
    'forgets whom an identity provider vouches for': class extends Miswriting {
      static readonly fails = ['keeps whom an identity provider vouches for, in every form'];
      protected override misput({ identity, ...user }: User): User {
        return identity?.issuer === undefined ? { ...user, ...(identity && { identity }) } : user;
      }
    },
    'keeps a link that was taken away': class extends Miswriting {
      static readonly fails = ['keeps whom an identity provider vouches for, in every form'];
      protected override misput(user: User): User {
        const identity = user.identity ?? this.access.users.get(user.name)?.identity;
        return { ...user, ...(identity && { identity }) };
      }
    },
    'keeps the first secret of the service': class extends Sabotaged {
      static readonly fails = [SECRET];
      override change(
        { secret, ...changes }: AccessChanges,
        expected?: Revision,
      ): Promise<Revision | undefined> {
        const kept = this.access.secret ?? secret;
        return super.change({ ...changes, ...(kept !== undefined && { secret: kept }) }, expected);
      }
    },
    'forgets passkeys': class extends Miswriting {
      static readonly fails = [PASSKEYS];
      protected override misput({ name, role, password, createdAt, identity }: User): User {
        return { name, role, password, createdAt, ...(identity && { identity }) };
      }
    },
    'keeps passkeys that are there no more': class extends Miswriting {
      static readonly fails = [PASSKEYS];
      protected override misput(user: User): User {
        const passkeys = user.passkeys ?? this.access.users.get(user.name)?.passkeys;
        return passkeys === undefined ? user : { ...user, passkeys };
      }
    },
    'keeps passkeys by their ids': class extends Miswriting {
      static readonly fails = [PASSKEYS];
      protected override misput(user: User): User {
        if (user.passkeys === undefined) return user;
        const keys = [...user.passkeys.keys].sort((a, b) => (a.id < b.id ? -1 : 1));
        return { ...user, passkeys: { ...user.passkeys, keys } };
      }
    },
    'forgets which challenges were answered': class extends Miswriting {
      static readonly fails = [PASSKEYS];
      protected override misput(user: User): User {
        return user.passkeys === undefined ? user : { ...user, passkeys: { ...user.passkeys, spent: [] } };
      }
    },
    'keeps texts in Latin-1': class extends Miswriting {
      static readonly fails = ['keeps every character of a name, a label and a password'];
      protected override misgive(credential: Credential): Credential {
        return { ...credential, label: latin1(credential.label) };
      }
    },
    'composes the characters of names': class extends Miswriting {
      static readonly fails = ['keeps every character of a name, a label and a password'];
      protected override misput(user: User): User {
        return { ...user, name: user.name.normalize('NFC') };
      }
    },
    'takes the role of everybody who signs in elsewhere from there': class extends Miswriting {
      static readonly fails = ['keeps whom an identity provider vouches for, in every form'];
      protected override misput(user: User): User {
        const { identity } = user;
        if (identity?.issuer === undefined) return user;
        return { ...user, identity: { ...identity, isRoleGranted: true } };
      }
    },
    'keeps an end for ever of what has none': class extends Miswriting {
      static readonly fails = [
        'reads users and credentials as they were put',
        'puts a user and a credential in the place of the one before',
      ];
      protected override misgive(credential: Credential): Credential {
        return { ...credential, expiresAt: credential.expiresAt ?? (0 as Credential['createdAt']) };
      }
    },
    'removes the credential that has the name of a removed user': class extends Sabotaged {
      static readonly fails = ['keeps a user and a credential of the same name apart'];
      override change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        for (const name of changes.removeUsers ?? []) this.access.credentials.delete(name);
        return super.change(changes, expected);
      }
    },
    'keeps the first user of a name and the first credential of an id': class extends Miswriting {
      static readonly fails = [
        'keeps whom an identity provider vouches for, in every form',
        PASSKEYS,
        'puts a user and a credential in the place of the one before',
        'has what is removed and put at the same time',
        'makes changes at the same time in the order of the calls',
      ];
      protected override misput(user: User): User {
        return this.access.users.get(user.name) ?? user;
      }

      protected override misgive(credential: Credential): Credential {
        return this.access.credentials.get(credential.id) ?? credential;
      }
    },
    'removes everybody when somebody is removed': class extends Sabotaged {
      static readonly fails = ['removes what is named and nothing else'];
      override async change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        const { users } = this.access;
        if ((changes.removeUsers ?? []).some((name) => users.has(name))) users.clear();
        return super.change(changes, expected);
      }
    },
    'removes who has a name that begins like that of who is to be removed': class extends Sabotaged {
      static readonly fails = [
        'does nothing when something is removed that is not there',
        'changes nothing if somebody else was first',
      ];
      override async change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        for (const name of changes.removeUsers ?? []) {
          for (const other of this.access.users.keys())
            if (other.startsWith(name)) this.access.users.delete(other);
        }
        return super.change(changes, expected);
      }
    },
    'removes after it has put': class extends Sabotaged {
      static readonly fails = ['has what is removed and put at the same time'];
      override async change(
        { removeUsers = [], removeCredentials = [], ...puts }: AccessChanges,
        expected?: Revision,
      ): Promise<Revision | undefined> {
        // The right store makes one operation too.
        const changing = super.change(puts, expected);
        for (const name of removeUsers) this.access.users.delete(name);
        for (const id of removeCredentials) this.access.credentials.delete(id);
        return changing;
      }
    },
    'changes users first and credentials a moment later': class extends Sabotaged {
      static readonly fails = [
        'lets change finish when close is called meanwhile',
        'never shows a part of a change',
      ];
      override async change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        const { putCredentials = [], removeCredentials = [], ...users } = changes;
        const revision = await super.change(users, expected);
        return revision && super.change({ putCredentials, removeCredentials });
      }
    },
    'loses what was changed while it reads and writes all of it': class extends Sabotaged {
      static readonly fails = ['loses nothing of changes at the same time'];
      override async change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        const users = new Map(this.access.users);
        const revision = await super.change(changes, expected);
        await Promise.resolve();
        for (const name of this.access.users.keys()) {
          if (!users.has(name) && changes.putUsers?.every((user) => user.name !== name) === true) {
            this.access.users.delete(name);
          }
        }
        return revision;
      }
    },
    'makes changes at the same time in the opposite order': class extends Sabotaged {
      static readonly fails = ['makes changes at the same time in the order of the calls'];
      readonly #waiting: (() => void)[] = [];

      override change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        return this.run(
          () =>
            new Promise<Revision | undefined>((resolve, reject) => {
              if (this.#waiting.length === 0) {
                queueMicrotask(() => {
                  for (const work of this.#waiting.splice(0).reverse()) work();
                });
              }
              this.#waiting.push(() => void super.change(changes, expected).then(resolve, reject));
            }),
        );
      }
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
    'has one revision for ever': class extends Sabotaged {
      static readonly fails = ['has another revision after each change', 'gives the revision after a change'];
      override async revision(): Promise<Revision> {
        await super.revision();
        return 'one';
      }
    },
    'has another revision each time': class extends Sabotaged {
      static readonly fails = ['keeps the revision while nothing changes'];
      #asked = 0;

      override async revision(): Promise<Revision> {
        return `${await super.revision()}.${++this.#asked}`;
      }
    },
    'changes whatever somebody else has changed meanwhile': class extends Sabotaged {
      static readonly fails = ['lets one of two win who expect the same'];
      override change(changes: AccessChanges): Promise<Revision | undefined> {
        return super.change(changes);
      }
    },
    'says that nothing was changed after it has changed it': class extends Sabotaged {
      static readonly fails = ['lets change finish when close is called meanwhile'];
      override async change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        const isLate = expected !== undefined && expected !== (await this.revision());
        await super.change(changes);
        return isLate ? undefined : this.revision();
      }
    },
    'gives the revision before the change for the one after it': class extends Sabotaged {
      static readonly fails = ['lets one of two win who expect the same'];
      override async change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        const before = String(this.access.changes);
        return (await super.change(changes, expected)) && before;
      }
    },
    'forgets credentials when it is closed': class extends Sabotaged {
      static readonly fails = ['keeps what it acknowledged across a restart'];
      protected override async onClose(): Promise<void> {
        this.access.credentials.clear();
      }
    },
    'keeps nothing': class extends Sabotaged {
      static readonly fails = [
        'reads users and credentials as they were put',
        'keeps whom an identity provider vouches for, in every form',
        PASSKEYS,
        'reads users by name and credentials by id, both ascending',
        'keeps every role and the first and the last time and day',
        'keeps every character of a name, a label and a password',
        'keeps a user and a credential of the same name apart',
        'puts a user and a credential in the place of the one before',
        'removes what is named and nothing else',
        'does nothing when something is removed that is not there',
        'has what is removed and put at the same time',
        'loses nothing of changes at the same time',
        'makes changes at the same time in the order of the calls',
        'does not change what was read when more is written',
        'gives the revision after a change',
        'changes nothing if somebody else was first',
        'lets one of two win who expect the same',
        'keeps what it acknowledged across a restart',
      ];
      override async change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
        const revision = await super.change(changes, expected);
        this.access.users.clear();
        this.access.credentials.clear();
        return revision;
      }
    },
  }),
  ...closedStoreSabotages(MemoryAccessStore, operations),
];

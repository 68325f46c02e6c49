import { quote, TallybookError } from '../../errors.js';
import type { User } from '../values/access.js';
import type { Role } from '../values/roles.js';
import type { AccessLedger } from '../access-ledger.js';
import { requireRoomForUser } from '../access-limits.js';
import type { UserChoice, UserView } from '../access-parts.js';
import { requireOtherAdmin } from '../last-admin.js';
import type { PasswordDesk } from '../passwords/password-desk.js';
import { anyone, type Principal } from '../principal.js';
import { linkAfter, parseLink, type Link } from '../provider/link.js';
import { parseRole } from '../role-choice.js';
import { accountOf, parseUserName, requireDistinct } from '../user-name.js';

/** A checked choice for a user. Properties that are `undefined` do not change. */
interface CheckedChoice {
  readonly name: string;
  readonly role: Role | undefined;
  /** Hash of the password. */
  readonly hash: string | undefined;
  readonly link: Link;
  readonly isNew: boolean;
  readonly endTokens: boolean;
}

/** Lists, adds, changes and removes users, on behalf of somebody else. */
export class UserKeeper {
  readonly #passwords: PasswordDesk;
  readonly #ledger: AccessLedger;
  readonly #hasProvider: boolean;

  /** @param hasProvider Whether people can sign in at an identity provider. */
  constructor(passwords: PasswordDesk, ledger: AccessLedger, hasProvider: boolean) {
    this.#passwords = passwords;
    this.#ledger = ledger;
    this.#hasProvider = hasProvider;
  }

  list(): readonly UserView[] {
    return this.#ledger.directory.users.map(({ name, role, createdAt, password, identity }) => ({
      ...{ name, role, createdAt },
      hasPassword: password !== undefined,
      ...(identity !== undefined && { identity }),
    }));
  }

  async put(by: Principal, choice: UserChoice): Promise<'added' | 'changed'> {
    const name = parseUserName(choice.name);
    const role = choice.role === undefined ? undefined : parseRole(choice.role);
    const isNew = parseFlag('isNew', choice.isNew);
    const endTokens = parseFlag('endTokens', choice.endTokens);
    const { password } = choice;
    const isOwn = !isNew && by.credential !== undefined && by.name === name;
    if (password !== undefined && isOwn) {
      throw new TallybookError('NOT_ALLOWED', 'to change your own password, give the present one');
    }
    const link = parseLink(choice);
    if (link.provider !== undefined && isOwn) {
      throw new TallybookError(
        'NOT_ALLOWED',
        'only another admin or the command line can change how you sign in',
      );
    }
    const hash = password === undefined ? undefined : await this.#passwords.hash(password, name);
    return this.#ledger.act(by, 'manage-access', (present) =>
      this.#put(present, { name, role, hash, link, isNew, endTokens }),
    );
  }

  /** Removes a user with passkeys, all sessions, and the tokens that the user made; tokens of devices stay. */
  remove(by: Principal, name: string): Promise<boolean> {
    return this.#ledger.act(by, 'manage-access', async () => {
      const { directory } = this.#ledger;
      const user = directory.user(accountOf(name));
      if (user === undefined) return false;
      requireOtherAdmin(user, directory);
      const gone = directory.revocableOf(user.name);
      await this.#ledger.change({ removeUsers: [user.name], removeCredentials: gone.map(({ id }) => id) });
      await this.#ledger.note(by.name, 'user-removed', { user: user.name });
      return true;
    });
  }

  /** Call it in a turn of the ledger. */
  async #put(
    by: Principal,
    { name, role: newRole, hash, link, isNew, endTokens }: CheckedChoice,
  ): Promise<'added' | 'changed'> {
    const { directory } = this.#ledger;
    const before = directory.user(name);
    if (before === undefined) {
      requireRoomForUser(directory);
      requireDistinct(name, directory.users);
    } else if (isNew) throw new TallybookError('USER_EXISTS', `there is a user ${quote(name)} already`);
    const role = newRole ?? before?.role ?? (directory.hasUsers ? 'viewer' : 'admin');
    if (!directory.hasUsers && role !== 'admin') {
      throw new TallybookError('LAST_ADMIN', 'the first user is an admin: somebody has to manage access');
    }
    const canSignIn = hash !== undefined || (link.provider === true && this.#hasProvider);
    // Anybody else has proved who they are, by a proxy for example, and can do it again.
    if (!directory.hasUsers && by === anyone && !canSignIn) {
      throw new TallybookError(
        'LAST_ADMIN',
        'the first user needs a way to sign in: a password, or a link to the identity provider of this service',
      );
    }
    if (before !== undefined && role !== 'admin') requireOtherAdmin(before, directory);
    const identity = linkAfter(link, name, directory.users);
    if (identity?.isRoleGranted === true && role !== before?.role) {
      throw new TallybookError(
        'INVALID_USER',
        `the identity provider gives ${name} the role; with "provider": true it is given here from now on`,
      );
    }
    const user: User = {
      ...(before?.passkeys !== undefined && { passkeys: before.passkeys }),
      ...{ name, role, password: hash ?? before?.password },
      createdAt: before?.createdAt ?? this.#ledger.now(),
      ...(identity !== undefined && { identity }),
    };
    const isRelinked = link.provider !== undefined && identity?.subject !== before?.identity?.subject;
    const isOtherPerson = hash !== undefined || isRelinked;
    const ended =
      isOtherPerson && before?.role === role ? directory.sessionsOf(name) : directory.endedBy(before, role);
    const endedToo = endTokens ? directory.revocableOf(name).filter(({ kind }) => kind === 'token') : [];
    const removeCredentials = [...ended, ...endedToo].map(({ id }) => id);
    await this.#ledger.change({ putUsers: [user], removeCredentials });
    const action = before === undefined ? 'user-added' : 'user-changed';
    await this.#ledger.note(by.name, action, {
      ...{ user: name, role, password: hash !== undefined, ...(endTokens && { tokens: endedToo.length }) },
      ...(link.provider !== undefined && { provider: link.provider }),
      ...(link.subject !== undefined && { subject: link.subject }),
    });
    return before === undefined ? 'added' : 'changed';
  }
}

function parseFlag(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new TallybookError('INVALID_USER', `${name}: true or false; got ${quote(value)}`);
}

import { quote, TallybookError } from '../../errors.js';
import { parseGroupId, type GroupId } from '../../values/people/group.js';
import type { User } from '../values/access.js';
import { groupRoles, parseRole, type Role } from '../values/roles.js';
import type { AccessLedger } from '../access-ledger.js';
import type { UserChoice, UserView } from '../access-parts.js';
import type { PasswordDesk } from '../passwords/password-desk.js';
import { anyone, rightsOf, type Principal } from '../principal.js';
import { linkAfter, parseLink, type Link } from '../provider/identities.js';
import {
  accountOf,
  normaliseUserName,
  parseUserName,
  requireDistinct,
  requireOtherAdmin,
  requireRoomForUser,
} from '../user-rules.js';

/** A checked choice for a user. Properties that are `undefined` do not change. */
interface CheckedChoice {
  readonly name: string;
  readonly role: Role | undefined;
  readonly groups: readonly GroupId[] | undefined;
  /** Hash of the password. */
  readonly hash: string | undefined;
  readonly link: Link;
  readonly isNew: boolean;
  readonly endTokens: boolean;
}

interface UserKeeperParts {
  readonly passwords: PasswordDesk;
  readonly ledger: AccessLedger;
  /** Identity provider at which people can sign in too. */
  readonly provider?: object | undefined;
}

/** Lists, adds, changes and removes users, on behalf of somebody else. */
export class UserKeeper {
  readonly #parts: UserKeeperParts;

  /** Made by `AccessService`. */
  constructor(parts: UserKeeperParts) {
    this.#parts = parts;
  }

  /** The principal of a user whom a proxy has signed in; `undefined` if there is no such user. */
  principalOf(name: string): Principal | undefined {
    const user = this.#parts.ledger.directory.user(normaliseUserName(name));
    return user && { ...rightsOf(user), name: user.name, user: user.name };
  }

  /** Ascending by name. */
  list(): readonly UserView[] {
    return this.#parts.ledger.directory.users.map(
      ({ name, role, groups = [], createdAt, password, identity }) => ({
        ...{ name, role, groups, createdAt },
        hasPassword: password !== undefined,
        ...(identity !== undefined && { identity }),
      }),
    );
  }

  /**
   * Adds a user, or changes role, groups, password or link to the provider. Another role, other groups, another password or subject at the provider
   * ends the sessions of the user. The choice may be untrusted.
   *
   * A new user without a role becomes a `viewer`; the first user becomes an `admin`. A user without a password signs in
   * by a proxy or at the provider. Rejects with `INVALID_USER`; `INVALID_PASSWORD`; `USER_EXISTS` if the user is to be
   * new, and there is one of this name; `LAST_ADMIN` if nobody could manage access any more, as when `anyone` adds a first
   * user without a password and without a link to a provider of this service; `NOT_ALLOWED` for one's own
   * password, which `PasswordSignIn.change` changes, and for one's own link to the provider; and `ACCESS_LIMIT_REACHED`
   * beyond 1,000 users.
   */
  put(by: Principal, choice: UserChoice): Promise<'added' | 'changed'> {
    return this.#parts.ledger.run(() => this.#decide(by, choice));
  }

  /**
   * Removes a user, with passkeys, all sessions and the tokens that the user made. Tokens of devices stay: they cannot
   * read data, and a device on a wall does not easily get a new one. Says whether there was such a user. Rejects with
   * `LAST_ADMIN`.
   */
  remove(by: Principal, name: string): Promise<boolean> {
    const remove = async (): Promise<boolean> => {
      const { directory } = this.#parts.ledger;
      const user = directory.user(accountOf(name));
      if (user === undefined) return false;
      requireOtherAdmin(user, directory);
      const gone = directory.revocableOf(user.name);
      await this.#parts.ledger.change({
        removeUsers: [user.name],
        removeCredentials: gone.map(({ id }) => id),
      });
      await this.#parts.ledger.note(by.name, 'user-removed', { user: user.name });
      return true;
    };
    return this.#parts.ledger.run(() => this.#parts.ledger.act(by, 'manage-access', remove));
  }

  async #decide(by: Principal, choice: UserChoice): Promise<'added' | 'changed'> {
    const name = parseUserName(choice.name);
    const role = choice.role === undefined ? undefined : parseRole(choice.role, 'INVALID_USER');
    const groups = choice.groups === undefined ? undefined : parseBoundGroups(choice.groups);
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
    const hash = password === undefined ? undefined : await this.#parts.passwords.hash(password, name);
    return this.#parts.ledger.act(by, 'manage-access', (present) =>
      this.#put(present, { name, role, groups, hash, link, isNew, endTokens }),
    );
  }

  /** Call it in a transaction of the ledger. */
  async #put(
    by: Principal,
    { name, role: newRole, groups: newGroups, hash, link, isNew, endTokens }: CheckedChoice,
  ): Promise<'added' | 'changed'> {
    const { directory } = this.#parts.ledger;
    const before = directory.user(name);
    if (before === undefined) {
      requireRoomForUser(directory);
      requireDistinct(name, directory.users);
    } else if (isNew) throw new TallybookError('USER_EXISTS', `there is a user ${quote(name)} already`);
    const role = newRole ?? before?.role ?? (directory.hasUsers ? 'viewer' : 'admin');
    if (!directory.hasUsers && role !== 'admin') {
      throw new TallybookError('LAST_ADMIN', 'the first user is an admin: somebody has to manage access');
    }
    const canSignIn = hash !== undefined || (link.provider === true && this.#parts.provider !== undefined);
    // Anybody else has proved who they are, by a proxy for example, and can do it again.
    if (!directory.hasUsers && by === anyone && !canSignIn) {
      throw new TallybookError(
        'LAST_ADMIN',
        'the first user needs a way to sign in: a password, or a link to the identity provider of this service',
      );
    }
    const groups = groupsAfter(role, newGroups, before?.groups);
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
      ...(groups.length > 0 && { groups }),
      createdAt: before?.createdAt ?? this.#parts.ledger.now(),
      ...(identity !== undefined && { identity }),
    };
    const isRelinked = link.provider !== undefined && identity?.subject !== before?.identity?.subject;
    const isOtherPerson = hash !== undefined || isRelinked;
    const ended =
      isOtherPerson && before?.role === role ? directory.sessionsOf(name) : directory.endedBy(before, user);
    const endedToo = endTokens ? directory.revocableOf(name).filter(({ kind }) => kind === 'token') : [];
    const removeCredentials = [...ended, ...endedToo].map(({ id }) => id);
    await this.#parts.ledger.change({ putUsers: [user], removeCredentials });
    const action = before === undefined ? 'user-added' : 'user-changed';
    await this.#parts.ledger.note(by.name, action, {
      ...{ user: name, role, password: hash !== undefined, ...(endTokens && { tokens: endedToo.length }) },
      ...((groups.length > 0 || before?.groups !== undefined) && { groups: groups.length }),
      ...(link.provider !== undefined && { provider: link.provider }),
      ...(link.subject !== undefined && { subject: link.subject }),
    });
    return before === undefined ? 'added' : 'changed';
  }
}

/** Maximum number of groups that one user is bound to. */
const GROUPS_MOST = 20;

function parseBoundGroups(value: unknown): readonly GroupId[] {
  if (!Array.isArray(value) || value.length > GROUPS_MOST)
    throw new TallybookError(
      'INVALID_USER',
      `groups: must be a list of at most ${GROUPS_MOST} ids of groups`,
    );
  return [...new Set(value.map(parseGroupId))].sort();
}

/** @throws {TallybookError} `INVALID_USER` if a user with this role cannot be bound to groups. */
function groupsAfter(
  role: Role,
  groups: readonly GroupId[] | undefined,
  before: readonly GroupId[] = [],
): readonly GroupId[] {
  const bound = groups ?? before;
  if (bound.length === 0 || groupRoles.includes(role)) return bound;
  throw new TallybookError(
    'INVALID_USER',
    `only a ${groupRoles.join(' or ')} can be bound to groups; got the role ${role}` +
      (groups === undefined ? ' for a user who is bound: give "groups": [] too' : ''),
  );
}

function parseFlag(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new TallybookError('INVALID_USER', `${name}: true or false; got ${quote(value)}`);
}

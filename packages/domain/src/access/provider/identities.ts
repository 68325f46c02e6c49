import { quote, TallybookError } from '../../errors.js';
import type { Identity } from '../ports/identity-provider.js';
import type { User, UserIdentity } from '../values/access.js';
import { actionsOf, parseRole, roles, type Role } from '../values/roles.js';

/** Rules by which people of an identity provider become users, and their roles. */
export interface IdentityRules {
  /** The role of each group. A member of several groups gets the role with the most rights. */
  readonly groupRoles?: Readonly<Record<string, Role>>;
  /**
   * The role of everybody else at the provider. Default: none, so only users and members of these groups can sign in.
   */
  readonly role?: Role;
}

/** @throws {TallybookError} `INVALID_OPTION` if a role is not one of `roles`. */
export function checkIdentityRules({ groupRoles = {}, role }: IdentityRules): void {
  for (const each of [...Object.values(groupRoles), role ?? 'viewer']) parseRole(each, 'INVALID_OPTION');
}

/** The role that a provider gives to somebody; `undefined` for none. */
export function grantedRole(
  { groups }: Identity,
  { groupRoles = {}, role }: IdentityRules,
): Role | undefined {
  return roleOfGroups(groups, groupRoles) ?? role;
}

/** The role of the groups with the most rights; `undefined` if no group has a role. */
export function roleOfGroups(
  groups: readonly string[],
  groupRoles: Readonly<Record<string, Role>>,
): Role | undefined {
  const given = groups.flatMap((group) => (Object.hasOwn(groupRoles, group) ? [groupRoles[group]] : []));
  const found = roles.filter((role) => given.includes(role));
  return found.sort((a, b) => actionsOf(b).length - actionsOf(a).length)[0];
}

export const SUBJECT_MAX_LENGTH = 255;

const subjectForm = (): RegExp => /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u;

/** Choice of how a user signs in; untrusted. */
export interface LinkChoice {
  /** `true`: at the identity provider; `false`: no longer there. */
  readonly provider?: unknown;
  /** The provider's identifier of the person. Without it, the first person with the name of the user is linked. */
  readonly subject?: unknown;
}

/** A checked choice. `provider` is `undefined` if the link does not change. */
export interface Link {
  readonly provider: boolean | undefined;
  readonly subject: string | undefined;
}

/** @throws {TallybookError} `INVALID_USER`. */
export function parseLink({ provider, subject }: LinkChoice): Link {
  if (provider !== undefined && typeof provider !== 'boolean') {
    throw invalid(`provider: true or false; got ${quote(provider)}`);
  }
  if (subject !== undefined && !isSubject(subject)) {
    throw invalid(`subject: 1 to ${SUBJECT_MAX_LENGTH} characters of one line; got ${quote(subject)}`);
  }
  if (subject !== undefined && provider === false) {
    throw invalid('subject: only for somebody who signs in with the provider');
  }
  return { provider: subject === undefined ? provider : true, subject };
}

/**
 * The link of a user after a choice. A new link, even to the same subject, is bound to the provider at the next sign-in:
 * the URL of the provider may have changed.
 *
 * @throws {TallybookError} `INVALID_USER` if somebody else has this subject.
 */
export function linkAfter(
  { provider, subject }: Link,
  name: string,
  users: readonly User[],
): UserIdentity | undefined {
  const present = users.find((user) => user.name === name)?.identity;
  if (provider === undefined) return present;
  if (!provider) return undefined;
  const other = users.find((user) => user.name !== name && user.identity?.subject === subject);
  if (subject !== undefined && other !== undefined) {
    throw invalid(`subject: it is that of ${other.name} already; got ${quote(subject)}`);
  }
  return { issuer: undefined, subject: subject ?? present?.subject, isRoleGranted: false };
}

/**
 * The user for a person: first, the user who is bound to this person; else the user for whom an admin has named this
 * subject; else the user of this name whom an admin has linked without a subject. A name alone is never enough.
 *
 * @param name In the form in which names of users are stored.
 */
export function userOf(
  { issuer, subject }: Identity,
  name: string | undefined,
  users: readonly User[],
): User | undefined {
  const linked = users.filter(({ identity }) => identity !== undefined);
  return (
    linked.find(({ identity }) => identity?.issuer === issuer && identity.subject === subject) ??
    linked.find(({ identity }) => identity?.issuer === undefined && identity?.subject === subject) ??
    linked.find((user) => user.identity?.subject === undefined && user.name === name)
  );
}

function isSubject(value: unknown): value is string {
  return typeof value === 'string' && value.length <= SUBJECT_MAX_LENGTH && subjectForm().test(value);
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_USER', message);
}

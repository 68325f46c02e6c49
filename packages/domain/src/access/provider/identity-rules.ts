import { quote, TallybookError } from '../../errors.js';
import type { Identity } from '../ports/identity-provider.js';
import { actionsOf, roles, type Role } from '../values/roles.js';

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
  for (const each of [...Object.values(groupRoles), role ?? 'viewer']) {
    if (roles.includes(each)) continue;
    throw new TallybookError('INVALID_OPTION', `a role is one of ${roles.join(', ')}; got ${quote(each)}`);
  }
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

import { quote, TallybookError } from '../errors.js';
import type { AccessDirectory } from './access-directory.js';
import type { User } from './values/access.js';
import { roles, type Role } from './values/roles.js';

const MAX_USERS = 1_000;

/** @throws {TallybookError} `ACCESS_LIMIT_REACHED` if there are 1,000 users. */
export function requireRoomForUser({ users }: AccessDirectory): void {
  if (users.length >= MAX_USERS) throw limitReached(`${MAX_USERS} users`);
}

export function limitReached(what: string): TallybookError {
  return new TallybookError('ACCESS_LIMIT_REACHED', `there are ${what} already, the maximum`);
}

/** @throws {TallybookError} `LAST_ADMIN` if this user is the only one who can manage access. */
export function requireOtherAdmin(user: User, { users }: AccessDirectory): void {
  const others = users.filter(({ name, role }) => role === 'admin' && name !== user.name);
  if (user.role === 'admin' && others.length === 0) {
    throw new TallybookError('LAST_ADMIN', 'this is the last admin: make somebody else one first');
  }
}

/** @throws {TallybookError} `INVALID_USER`. */
export function parseRole(value: unknown): Role {
  if (isRole(value)) return value;
  throw new TallybookError('INVALID_USER', `the role is ${listOfRoles()}; got ${quote(value)}`);
}

export function isRole(value: unknown): value is Role {
  return roles.includes(value as Role);
}

/** For messages. */
export function listOfRoles(): string {
  return roles.map((role) => `"${role}"`).join(', ');
}

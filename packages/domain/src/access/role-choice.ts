import { quote, TallybookError } from '../errors.js';
import { roles, type Role } from './values/roles.js';

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

import { TallybookError } from '../errors.js';
import type { User } from './values/access.js';
import type { AccessDirectory } from './access-directory.js';

/** @throws {TallybookError} `LAST_ADMIN` if this user is the only one who can manage access. */
export function requireOtherAdmin(user: User, { users }: AccessDirectory): void {
  const others = users.filter(({ name, role }) => role === 'admin' && name !== user.name);
  if (user.role === 'admin' && others.length === 0) {
    throw new TallybookError('LAST_ADMIN', 'this is the last admin: make somebody else one first');
  }
}

import { TallybookError } from '../errors.js';
import type { AccessDirectory } from './access-directory.js';

const MAX_USERS = 1_000;

/** @throws {TallybookError} `ACCESS_LIMIT_REACHED` if there are 1,000 users. */
export function requireRoomForUser({ users }: AccessDirectory): void {
  if (users.length >= MAX_USERS) throw limitReached(`${MAX_USERS} users`);
}

export function limitReached(what: string): TallybookError {
  return new TallybookError('ACCESS_LIMIT_REACHED', `there are ${what} already, the maximum`);
}

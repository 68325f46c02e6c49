import { quote, TallybookError } from '../../errors.js';
import type { Identity } from '../../ports/access/identity-provider.js';
import type { User, UserIdentity } from '../../values/access/access.js';

export const SUBJECT_MAX_LENGTH = 255;

const subjectForm = (): RegExp => /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u;

/** How somebody is to sign in; untrusted. */
export interface LinkChoice {
  /** `true`: at the identity provider; `false`: not there any more. */
  readonly provider?: unknown;
  /** The subject that the provider knows the person by. Without it, the first person who comes with this name. */
  readonly subject?: unknown;
}

/** A choice that was checked. `provider` is `undefined` where nothing is to change. */
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
 * The link that a user has after such a choice. A new link, even to the same subject, is bound to the provider at the next
 * sign-in: its URL may have changed.
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
 * The user for a person: the one that is bound to this person; else the one for whom an admin has named this subject; else
 * the one that an admin has left to the first person with this name. A name alone is never enough.
 *
 * @param name As names of users are kept.
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

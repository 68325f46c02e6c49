import { quote, TallybookError } from '../../errors.js';
import type { Identity } from '../ports/identity-provider.js';
import type { User, UserIdentity } from '../values/access.js';

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

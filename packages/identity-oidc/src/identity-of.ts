import type { Identity } from '@tallybook/domain';
import { refused } from './faults.js';

/** Facts of a provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

const subjectForm = (): RegExp => /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,255}$/u;
const NAME_MAX_LENGTH = 256;
const MAX_GROUPS = 1_000;
const GROUP_MAX_LENGTH = 256;

/** Whether wanted claims are missing. Then the provider is asked for more. */
export function lacks(claims: Claims, wanted: readonly (string | undefined)[]): boolean {
  return wanted.some((claim) => claim !== undefined && claims[claim] === undefined);
}

/**
 * The identity of a person, from the claims of the provider.
 *
 * @throws {TallybookError} `IDENTITY_REFUSED` without a subject.
 */
export function identityOf(
  claims: Claims,
  { userClaim, groupsClaim }: { readonly userClaim: string; readonly groupsClaim?: string | undefined },
): Identity {
  const { iss: issuer, sub: subject } = claims;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || !subjectForm().test(subject)) {
    throw refused('it names nobody', 'subject');
  }
  return { issuer, subject, name: nameOf(claims, userClaim), groups: groupsOf(claims, groupsClaim) };
}

/** The name of a person in a claim. An `email` counts only if it is verified, because anybody may claim any address. */
function nameOf(claims: Claims, claim: string): string | undefined {
  const name = claims[claim];
  if (typeof name !== 'string' || name === '' || name.length > NAME_MAX_LENGTH) return undefined;
  return claim === 'email' && claims['email_verified'] !== true ? undefined : name;
}

function groupsOf(claims: Claims, claim: string | undefined): readonly string[] {
  const groups = claim === undefined ? [] : claims[claim];
  const list: readonly unknown[] = Array.isArray(groups) ? groups : [groups];
  const isGroup = (group: unknown): group is string =>
    typeof group === 'string' && group.length <= GROUP_MAX_LENGTH;
  return list.filter(isGroup).slice(0, MAX_GROUPS);
}

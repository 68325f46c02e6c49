import type { Identity } from '@tallybook/domain/access';
import { refused } from './faults.js';

/** Facts of a provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

const subjectForm = (): RegExp => /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,255}$/u;
const NAME_MAX_LENGTH = 256;
const MAX_GROUPS = 1_000;
const GROUP_MAX_LENGTH = 256;
/** Number of names of claims in a line of the log. */
const MAX_LISTED = 50;

/** A claim by its name, or by a path with dots through nested claims: `realm_access.roles`. A name may have dots too. */
function claimOf(claims: unknown, path: string): unknown {
  if (!isObject(claims)) return undefined;
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const found = Object.hasOwn(claims, head) ? claimOf(claims[head], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null;
}

/** Whether wanted claims are missing. Then the provider is asked for more. */
export function lacks(claims: Claims, wanted: readonly (string | undefined)[]): boolean {
  return wanted.some((claim) => claim !== undefined && claimOf(claims, claim) === undefined);
}

/** The kind of the value of each wanted claim. It is for the log, so it contains no value. */
export function kindsOf(
  claims: Claims,
  wanted: readonly (string | undefined)[],
): Readonly<Record<string, string>> {
  const names = wanted.filter((claim) => claim !== undefined);
  return Object.fromEntries(names.map((claim) => [claim, kindOf(claims, claim)]));
}

function kindOf(claims: Claims, claim: string): string {
  const value = claimOf(claims, claim);
  if (value === undefined) return `absent; there are ${Object.keys(claims).slice(0, MAX_LISTED).join(', ')}`;
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (isObject(value)) return `object of ${Object.keys(value).length}`;
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  return isEmail(claim) && !isVerified(claims, claim) ? 'text, which the provider has not verified' : 'text';
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
  const name = claimOf(claims, claim);
  if (typeof name !== 'string' || name === '' || name.length > NAME_MAX_LENGTH) return undefined;
  return isEmail(claim) && !isVerified(claims, claim) ? undefined : name;
}

function isEmail(claim: string): boolean {
  return /(?:^|\.)email$/.test(claim);
}

/** Some providers, such as Cognito, send `"true"`. */
function isVerified(claims: Claims, claim: string): boolean {
  const verified = claimOf(claims, `${claim}_verified`);
  return verified === true || verified === 'true';
}

function groupsOf(claims: Claims, claim: string | undefined): readonly string[] {
  const groups = claim === undefined ? [] : claimOf(claims, claim);
  const list: readonly unknown[] = Array.isArray(groups) ? groups : [groups];
  const isGroup = (group: unknown): group is string =>
    typeof group === 'string' && group.length <= GROUP_MAX_LENGTH;
  return list.flatMap(keysOf).filter(isGroup).slice(0, MAX_GROUPS);
}

/** The groups in an object: Zitadel sends `{"desk": {...}}`. Anything else is returned unchanged. */
function keysOf(group: unknown): unknown {
  if (!isObject(group)) return group;
  return Object.keys(group).filter(
    (key) => group[key] === true || (isObject(group[key]) && !Array.isArray(group[key])),
  );
}

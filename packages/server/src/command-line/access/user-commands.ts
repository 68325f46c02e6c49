import { invalidOption } from '@tallybook/devices';
import { isTallybookError, quote, TallybookError } from '@tallybook/domain';
import { userNameOf } from '@tallybook/domain/access';
import type { OwnerClient } from '../../control/owner-client.js';
import { describeMoment, describeTable } from './describe-list.js';

/** A user in the list of the service. */
interface ListedUser {
  readonly name: string;
  readonly role: string;
  readonly createdAt: number;
  readonly hasPassword: boolean;
  readonly provider: { readonly subject: string | null; readonly grantsRole: boolean } | null;
}

/** The link of a user to the identity provider: a subject, or `true` for the first person with the name. */
export type LinkFlag = string | true | undefined;

const allUsers = (client: OwnerClient): Promise<readonly ListedUser[]> => client.get('/api/users');

/** @param password `undefined` for a user who signs in in another way. */
export async function addUser(
  client: OwnerClient,
  name: string,
  {
    role,
    password,
    link,
  }: { readonly role: string; readonly password: string | undefined; readonly link?: LinkFlag },
): Promise<string> {
  try {
    await client.post('/api/users', { name, role, password, ...choiceOf(link), isNew: true });
  } catch (error) {
    throw isTallybookError(error, 'USER_EXISTS') ? explained(error) : error;
  }
  return `${name} may sign in now, as ${role}`;
}

export async function setRole(client: OwnerClient, user: string, role: string): Promise<string> {
  const name = await knownName(client, user);
  await client.post('/api/users', { name, role });
  return `${name} is ${role} now, and has to sign in again`;
}

export async function setPassword(
  client: OwnerClient,
  user: string,
  password: string,
  endTokens = false,
): Promise<string> {
  const name = await knownName(client, user);
  await client.post('/api/users', { name, password, ...(endTokens && { endTokens }) });
  const tokens = endTokens ? 'their tokens have ended' : 'their tokens stay: --end-tokens ends them';
  return `${name} has a new password, and has to sign in again; ${tokens}`;
}

/** @param link `false` ends the link. */
export async function setLink(client: OwnerClient, user: string, link: LinkFlag | false): Promise<string> {
  const name = await knownName(client, user);
  await client.post('/api/users', { name, ...(link === false ? { provider: false } : choiceOf(link)) });
  if (link === false) return `${name} does not sign in at the identity provider any more`;
  return typeof link === 'string'
    ? `${name} signs in at the identity provider, which knows them as ${link}`
    : `the first person from the identity provider with the name ${name} becomes this user`;
}

export async function removeUser(client: OwnerClient, user: string): Promise<string> {
  const name = await knownName(client, user);
  await client.delete(`/api/users?name=${encodeURIComponent(name)}`);
  return `${name} is removed`;
}

/** Lines for people: a line for each user. */
export async function listUsers(client: OwnerClient): Promise<readonly string[]> {
  const users = await allUsers(client);
  if (users.length === 0) return ['there are no users'];
  return describeTable(
    ['NAME', 'ROLE', 'SINCE', 'PASSWORD', 'PROVIDER'],
    users.map(({ name, role, createdAt, hasPassword, provider }) => [
      ...[name, role, describeMoment(createdAt)],
      ...[hasPassword ? 'yes' : 'no', describeLink(provider)],
    ]),
  );
}

/** The name of a user as it is stored. Rejects with `INVALID_OPTION` if there is no such user. */
async function knownName(client: OwnerClient, name: string): Promise<string> {
  const kept = userNameOf(name);
  const all = await allUsers(client);
  if (kept !== undefined && all.some((each) => each.name === kept)) return kept;
  throw invalidOption(`there is no user ${quote(name)}; "tallybook user list" has them all`);
}

function explained(exists: TallybookError): TallybookError {
  const message = `${exists.message}; change the role with "tallybook user role", the password with "tallybook user password"`;
  return new TallybookError('INVALID_OPTION', message, { cause: exists });
}

function choiceOf(link: LinkFlag): { readonly provider?: true; readonly subject?: string } {
  if (link === undefined) return {};
  return link === true ? { provider: true } : { subject: link };
}

function describeLink(provider: ListedUser['provider']): string {
  if (provider === null) return 'no';
  const { subject, grantsRole } = provider;
  return `${subject ?? 'whoever comes first'}${grantsRole ? ', which gives the role' : ''}`;
}

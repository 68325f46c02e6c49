import { invalidOption } from '@tallybook/devices';
import { groupOfName, isTallybookError, parseGroupName, quote, TallybookError } from '@tallybook/domain';
import { userNameOf } from '@tallybook/domain/access';
import type { OwnerClient } from '../../control/owner-client.js';
import { describeMoment, describeTable } from './describe-list.js';

/** A user in the list of the service. */
interface ListedUser {
  readonly name: string;
  readonly role: string;
  readonly groups: readonly string[];
  readonly createdAt: number;
  readonly hasPassword: boolean;
  readonly provider: { readonly subject: string | null; readonly grantsRole: boolean } | null;
}

/** The link of a user to the identity provider: a subject, or `true` for the first person with the name. */
export type LinkFlag = string | true | undefined;

/** Names of the groups that a user is bound to; `false`: to none; `undefined`: as before. */
export type GroupsFlag = readonly string[] | false | undefined;

const allUsers = (client: OwnerClient): Promise<readonly ListedUser[]> => client.get('/api/users');

/** @param password `undefined` for a user who signs in in another way. */
export async function addUser(
  client: OwnerClient,
  name: string,
  {
    role,
    groups,
    password,
    link,
  }: {
    readonly role: string;
    readonly groups?: GroupsFlag;
    readonly password: string | undefined;
    readonly link?: LinkFlag;
  },
): Promise<string> {
  try {
    const choice = { name, role, ...boundTo(groups), password, ...choiceOf(link) };
    await client.post('/api/users', { ...choice, isNew: true });
  } catch (error) {
    throw isTallybookError(error, 'USER_EXISTS') ? explained(error) : error;
  }
  return `${name} may sign in now, as ${role}${describeGroups(groups)}`;
}

export async function setRole(
  client: OwnerClient,
  user: string,
  role: string,
  groups?: GroupsFlag,
): Promise<string> {
  const name = await knownName(client, user);
  await client.post('/api/users', { name, role, ...boundTo(groups) });
  return `${name} is ${role} now${describeGroups(groups)}, and has to sign in again`;
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
    ['NAME', 'ROLE', 'GROUPS', 'SINCE', 'PASSWORD', 'PROVIDER'],
    users.map(({ name, role, groups, createdAt, hasPassword, provider }) => [
      ...[name, role, groups.length === 0 ? 'all' : groups.join(', '), describeMoment(createdAt)],
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

function boundTo(groups: GroupsFlag): { readonly groups?: readonly string[] } {
  if (groups === undefined) return {};
  return { groups: groups === false ? [] : groups.map((name) => groupOfName(parseGroupName(name))) };
}

function describeGroups(groups: GroupsFlag): string {
  if (groups === undefined) return '';
  return groups === false ? ' for everybody' : ` for ${groups.join(', ')} only`;
}

function describeLink(provider: ListedUser['provider']): string {
  if (provider === null) return 'no';
  const { subject, grantsRole } = provider;
  return `${subject ?? 'whoever comes first'}${grantsRole ? ', which gives the role' : ''}`;
}

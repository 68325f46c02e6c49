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

/** The commands of users. Each returns its lines for people. */
export class UserCommands {
  readonly #client: OwnerClient;

  constructor(client: OwnerClient) {
    this.#client = client;
  }

  /** @param password `undefined` for a user who signs in in another way. */
  async add(name: string, role: string, password: string | undefined, link?: LinkFlag): Promise<string> {
    try {
      await this.#put({ name, role, password, ...choiceOf(link), isNew: true });
    } catch (error) {
      throw isTallybookError(error, 'USER_EXISTS') ? explained(error) : error;
    }
    return `${name} may sign in now, as ${role}`;
  }

  async setRole(name: string, role: string): Promise<string> {
    const user = await this.#require(name);
    await this.#put({ name: user.name, role });
    return `${user.name} is ${role} now, and has to sign in again`;
  }

  async setPassword(name: string, password: string, endTokens = false): Promise<string> {
    const user = await this.#require(name);
    await this.#put({ name: user.name, password, ...(endTokens && { endTokens }) });
    const tokens = endTokens ? 'their tokens have ended' : 'their tokens stay: --end-tokens ends them';
    return `${user.name} has a new password, and has to sign in again; ${tokens}`;
  }

  /** @param link `false` ends the link. */
  async setLink(name: string, link: LinkFlag | false): Promise<string> {
    const user = await this.#require(name);
    await this.#put({ name: user.name, ...(link === false ? { provider: false } : choiceOf(link)) });
    if (link === false) return `${user.name} does not sign in at the identity provider any more`;
    return typeof link === 'string'
      ? `${user.name} signs in at the identity provider, which knows them as ${link}`
      : `the first person from the identity provider with the name ${user.name} becomes this user`;
  }

  async remove(name: string): Promise<string> {
    const user = await this.#require(name);
    await this.#client.delete(`/api/users?name=${encodeURIComponent(user.name)}`);
    return `${user.name} is removed`;
  }

  async list(): Promise<readonly string[]> {
    const users = await this.#all();
    if (users.length === 0) return ['there are no users'];
    return describeTable(
      ['NAME', 'ROLE', 'SINCE', 'PASSWORD', 'PROVIDER'],
      users.map(({ name, role, createdAt, hasPassword, provider }) => [
        name,
        role,
        describeMoment(createdAt),
        hasPassword ? 'yes' : 'no',
        describeLink(provider),
      ]),
    );
  }

  #all(): Promise<readonly ListedUser[]> {
    return this.#client.get('/api/users');
  }

  async #require(name: string): Promise<ListedUser> {
    const kept = userNameOf(name);
    const user = (await this.#all()).find((each) => each.name === kept);
    if (user !== undefined) return user;
    throw invalidOption(`there is no user ${quote(name)}; "tallybook user list" has them all`);
  }

  async #put(choice: {
    readonly name: string;
    readonly role?: string;
    readonly password?: string | undefined;
    readonly provider?: boolean;
    readonly subject?: string;
    readonly isNew?: true;
    readonly endTokens?: boolean;
  }): Promise<void> {
    await this.#client.post('/api/users', choice);
  }
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

import { invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import type { OwnerClient } from '../../control/owner-client.js';
import { describeMoment, describeTable } from './describe-list.js';

/** A session or a token in the list of the service. */
interface ListedCredential {
  readonly id: string;
  readonly kind: 'session' | 'token';
  readonly role: string;
  readonly label: string;
  readonly expiresAt: number | null;
  /** Days since 1970. */
  readonly lastUsed: number | null;
}

const DAY_S = 86_400;

/** The commands of tokens. Each returns its lines for people. */
export class TokenCommands {
  readonly #client: OwnerClient;

  constructor(client: OwnerClient) {
    this.#client = client;
  }

  /** @returns The id of a new token, and its secret, which is shown only now. */
  add(
    label: string,
    role: string,
    days: number | undefined,
  ): Promise<{ readonly id: string; readonly token: string }> {
    return this.#client.post('/api/tokens', { label, role, days });
  }

  async list(): Promise<readonly string[]> {
    const tokens = (await this.#all()).filter(({ kind }) => kind === 'token');
    if (tokens.length === 0) return ['there are no tokens'];
    return describeTable(
      ['ID', 'ROLE', 'LAST USED', 'ENDS', 'LABEL'],
      tokens.map(({ id, role, lastUsed, expiresAt, label }) => [
        id,
        role,
        lastUsed === null ? 'never' : describeMoment(lastUsed * DAY_S).slice(0, 10),
        expiresAt === null ? 'never' : describeMoment(expiresAt),
        label,
      ]),
    );
  }

  /** Ends a token, or a session. */
  async revoke(id: string): Promise<string> {
    const found = (await this.#all()).find((each) => each.id === id);
    if (found === undefined) {
      throw invalidOption(`there is no token ${quote(id)}; "tallybook token list" has their ids`);
    }
    await this.#client.delete(`/api/credentials?id=${encodeURIComponent(id)}`);
    return `the ${found.kind} ${quote(found.label)} is revoked`;
  }

  #all(): Promise<readonly ListedCredential[]> {
    return this.#client.get('/api/credentials?all=1');
  }
}

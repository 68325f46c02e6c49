import { invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import type { OwnerClient } from '../../control/owner-client.js';
import { describeMoment, describeTable } from './describe-list.js';

/** A passkey in the list of the service. */
interface ListedPasskey {
  readonly id: string;
  readonly user: string;
  readonly host: string;
  readonly label: string;
  /** Days since 1970. */
  readonly lastUsed: number | null;
}

const DAY_S = 86_400;

/** The commands of passkeys. Each returns its lines for people. */
export class PasskeyCommands {
  readonly #client: OwnerClient;

  constructor(client: OwnerClient) {
    this.#client = client;
  }

  async list(): Promise<readonly string[]> {
    const passkeys = await this.#all();
    if (passkeys.length === 0) return ['there are no passkeys'];
    return describeTable(
      ['ID', 'USER', 'LAST USED', 'FOR', 'LABEL'],
      passkeys.map(({ id, user, lastUsed, host, label }) => [
        ...[id, user],
        lastUsed === null ? 'never' : describeMoment(lastUsed * DAY_S).slice(0, 10),
        ...[host, label],
      ]),
    );
  }

  async remove(id: string): Promise<string> {
    const found = (await this.#all()).find((each) => each.id === id);
    if (found === undefined) {
      throw invalidOption(`there is no passkey ${quote(id)}; "tallybook passkey list" has their ids`);
    }
    await this.#client.delete(`/api/passkeys?id=${encodeURIComponent(id)}`);
    return `the passkey ${quote(found.label)} of ${found.user} is removed, and ${found.user} is signed out`;
  }

  #all(): Promise<readonly ListedPasskey[]> {
    return this.#client.get('/api/passkeys?all=1');
  }
}

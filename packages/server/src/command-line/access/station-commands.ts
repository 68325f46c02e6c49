import { invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import type { OwnerClient } from '../../control/owner-client.js';
import { describeMoment, describeTable } from './describe-list.js';

/** A station in the list of the service. */
interface ListedStation {
  readonly name: string;
  readonly version: string;
  readonly heardAt: number;
  readonly waiting: number;
  readonly oldestWaitingAt: number | null;
  readonly provisional: number;
  readonly isClockTrusted: boolean;
  readonly refused: readonly { readonly at: number; readonly code: string; readonly message: string }[];
}

/** The commands of stations. Each returns its lines for people. */
export class StationCommands {
  readonly #client: OwnerClient;

  constructor(client: OwnerClient) {
    this.#client = client;
  }

  /** A line for each station, and below it its refused items. */
  async list(): Promise<readonly string[]> {
    const stations = await this.all();
    if (stations.length === 0) return ['no station has sent anything yet'];
    const table = describeTable(
      ['STATION', 'HEARD', 'WAITING', 'SINCE', 'PROVISIONAL', 'CLOCK', 'REFUSED', 'RELEASE'],
      stations.map((station) => [
        station.name,
        describeMoment(station.heardAt),
        String(station.waiting),
        station.oldestWaitingAt === null ? '-' : describeMoment(station.oldestWaitingAt),
        String(station.provisional),
        station.isClockTrusted ? 'right' : 'doubtful',
        String(station.refused.length),
        station.version,
      ]),
    );
    const refused = stations.flatMap(({ name, refused: items }) =>
      items.map(({ at, code, message }) => `${name}, refused ${describeMoment(at)}: ${message} (${code})`),
    );
    return [...table, ...refused];
  }

  /** The list of stations from the service, for programs. */
  all(): Promise<readonly ListedStation[]> {
    return this.#client.get('/api/stations');
  }

  /**
   * Removes a station from the list; its scans stay. Rejects with `INVALID_OPTION` if there is no station of this name.
   */
  async forget(name: string): Promise<string> {
    const known = await this.all();
    if (!known.some((station) => station.name === name)) {
      throw invalidOption(`there is no station ${quote(name)}; "tallybook stations list" has their names`);
    }
    await this.#client.delete(`/api/stations?name=${encodeURIComponent(name)}`);
    return `${quote(name)} is off the list; its record stays. To end its token: "tallybook token revoke"`;
  }
}

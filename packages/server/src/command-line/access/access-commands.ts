import { invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import type { OwnerClient } from '../../control/owner-client.js';
import { describeMoment, describeTable } from './describe-list.js';

const DAY_S = 86_400;

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

/** A passkey in the list of the service. */
interface ListedPasskey {
  readonly id: string;
  readonly user: string;
  readonly host: string;
  readonly label: string;
  /** Days since 1970. */
  readonly lastUsed: number | null;
}

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

const allCredentials = (client: OwnerClient): Promise<readonly ListedCredential[]> =>
  client.get('/api/credentials?all=1');
const allPasskeys = (client: OwnerClient): Promise<readonly ListedPasskey[]> =>
  client.get('/api/passkeys?all=1');
/** The list of stations from the service, for programs. */
export const allStations = (client: OwnerClient): Promise<readonly ListedStation[]> =>
  client.get('/api/stations');

/** Makes a token. Resolves with its id, and its secret, which is shown only now. */
export function addToken(
  client: OwnerClient,
  token: { readonly label: string; readonly role: string; readonly days?: number | undefined },
): Promise<{ readonly id: string; readonly token: string }> {
  return client.post('/api/tokens', token);
}

/** Lines for people: a line for each token. */
export async function listTokens(client: OwnerClient): Promise<readonly string[]> {
  const tokens = (await allCredentials(client)).filter(({ kind }) => kind === 'token');
  if (tokens.length === 0) return ['there are no tokens'];
  return describeTable(
    ['ID', 'ROLE', 'LAST USED', 'ENDS', 'LABEL'],
    tokens.map(({ id, role, lastUsed, expiresAt, label }) => [
      ...[id, role, describeLastUse(lastUsed)],
      ...[expiresAt === null ? 'never' : describeMoment(expiresAt), label],
    ]),
  );
}

/** Ends a token, or a session. */
export async function revokeToken(client: OwnerClient, id: string): Promise<string> {
  const { kind, label } = listed('token', id, await allCredentials(client), (each) => each.id === id);
  await client.delete(`/api/credentials?id=${encodeURIComponent(id)}`);
  return `the ${kind} ${quote(label)} is revoked`;
}

/** Lines for people: a line for each passkey. */
export async function listPasskeys(client: OwnerClient): Promise<readonly string[]> {
  const passkeys = await allPasskeys(client);
  if (passkeys.length === 0) return ['there are no passkeys'];
  return describeTable(
    ['ID', 'USER', 'LAST USED', 'FOR', 'LABEL'],
    passkeys.map(({ id, user, lastUsed, host, label }) => [id, user, describeLastUse(lastUsed), host, label]),
  );
}

export async function removePasskey(client: OwnerClient, id: string): Promise<string> {
  const { label, user } = listed('passkey', id, await allPasskeys(client), (each) => each.id === id);
  await client.delete(`/api/passkeys?id=${encodeURIComponent(id)}`);
  return `the passkey ${quote(label)} of ${user} is removed, and ${user} is signed out`;
}

/** Lines for people: a line for each station, and below it its refused items. */
export async function listStations(client: OwnerClient): Promise<readonly string[]> {
  const stations = await allStations(client);
  if (stations.length === 0) return ['no station has sent anything yet'];
  const table = describeTable(
    ['STATION', 'HEARD', 'WAITING', 'SINCE', 'PROVISIONAL', 'CLOCK', 'REFUSED', 'RELEASE'],
    stations.map((station) => [
      ...[station.name, describeMoment(station.heardAt), String(station.waiting)],
      station.oldestWaitingAt === null ? '-' : describeMoment(station.oldestWaitingAt),
      ...[String(station.provisional), station.isClockTrusted ? 'right' : 'doubtful'],
      ...[String(station.refused.length), station.version],
    ]),
  );
  const refused = stations.flatMap(({ name, refused: items }) =>
    items.map(({ at, code, message }) => `${name}, refused ${describeMoment(at)}: ${message} (${code})`),
  );
  return [...table, ...refused];
}

/** Removes a station from the list; its scans stay. */
export async function forgetStation(client: OwnerClient, name: string): Promise<string> {
  listed('station', name, await allStations(client), (station) => station.name === name);
  await client.delete(`/api/stations?name=${encodeURIComponent(name)}`);
  return `${quote(name)} is off the list; its record stays. To end its token: "tallybook token revoke"`;
}

/** @throws {TallybookError} `INVALID_OPTION` if there is no such item; the message says which command lists them. */
function listed<T>(
  what: 'token' | 'passkey' | 'station',
  which: string,
  all: readonly T[],
  isIt: (each: T) => boolean,
): T {
  const found = all.find(isIt);
  if (found !== undefined) return found;
  const list =
    what === 'station'
      ? '"tallybook stations list" has their names'
      : `"tallybook ${what} list" has their ids`;
  throw invalidOption(`there is no ${what} ${quote(which)}; ${list}`);
}

function describeLastUse(day: number | null): string {
  return day === null ? 'never' : describeMoment(day * DAY_S).slice(0, 10);
}

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { PasskeyPlace } from '@tallybook/domain/access';
import type { Connections } from './connections.js';

/**
 * The place of the page that sent a request, if browsers allow passkeys there: under https with a name instead of an IP
 * address, or under `localhost`. The name is one of this service, or the request would have been refused.
 *
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function passkeyPlaceOf(request: IncomingMessage, connections: Connections): PasskeyPlace | undefined {
  const transport = connections.transportOf(request);
  const url = urlOf(`${transport}://${connections.hostOf(request) ?? ''}`);
  if (url === undefined || url.hostname.startsWith('[') || isIP(url.hostname) !== 0) return undefined;
  if (transport === 'http' && url.hostname !== 'localhost') return undefined;
  return { origin: url.origin, host: url.hostname };
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

import { setTimeout } from 'node:timers/promises';
import type { FuzzedServer } from './fuzzed-server.js';

/** No other request of this part uses this name, so this user does not change. */
const ADMIN = { name: 'keeper-of-the-fuzz', role: 'admin', password: 'of a length that nobody guesses' };

/** The request that claims an open service, also when a fuzzed request happens to send it. */
export const CLAIMING = { method: 'POST', path: '/api/users' } as const;

/** Makes the first user of the service, and a token of this admin. From then on nobody else has access. */
export async function claim(server: Pick<FuzzedServer, 'url'>): Promise<string> {
  await post(server, CLAIMING.path, ADMIN);
  const signedIn = await post(server, '/api/session', { name: ADMIN.name, password: ADMIN.password });
  const cookie = signedIn.headers.getSetCookie().map((each) => each.replace(/;.*/, ''));
  const made = await post(server, '/api/tokens', { label: 'fuzz', role: 'admin' }, cookie.join('; '));
  const { token } = (await made.json()) as { readonly token: string };
  return token;
}

async function post(
  server: Pick<FuzzedServer, 'url'>,
  path: string,
  body: object,
  cookie = '',
): Promise<Response> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: server.url, Cookie: cookie },
    body: JSON.stringify(body),
  });
  const retryAfter = response.headers.get('Retry-After');
  if (response.status === 429 && retryAfter !== null) {
    // Hostile attempts to sign in count for this address too.
    await setTimeout(Number(retryAfter) * 1_000);
    return post(server, path, body, cookie);
  }
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

import type { FuzzedServer } from './fuzzed-server.js';

/** A name that nothing else in this part sends, so that this user stays as it is. */
const ADMIN = { name: 'keeper-of-the-fuzz', role: 'admin', password: 'of a length that nobody guesses' };

/** The request that claims a service which is open, whatever else sends it. */
export const CLAIMING = { method: 'POST', path: '/api/users' } as const;

/** Makes the first user of the service, which is open to nobody else from then on, and a token of this admin. */
export async function claim(server: FuzzedServer): Promise<string> {
  await post(server, CLAIMING.path, ADMIN);
  const signedIn = await post(server, '/api/session', { name: ADMIN.name, password: ADMIN.password });
  const cookie = signedIn.headers.getSetCookie().map((each) => each.replace(/;.*/, ''));
  const made = await post(server, '/api/tokens', { label: 'fuzz', role: 'admin' }, cookie.join('; '));
  const { token } = (await made.json()) as { readonly token: string };
  return token;
}

async function post(server: FuzzedServer, path: string, body: object, cookie = ''): Promise<Response> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: server.url, Cookie: cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

import type { JsonCalls } from './json-calls.js';

/** Who is looking at the page, and what they may do. */
export interface SessionInfo {
  /** Whether anybody has to sign in: `unclaimed` until the first user is there. */
  readonly access: 'open' | 'unclaimed' | 'claimed';
  readonly user: { readonly name: string; readonly role: string } | null;
  /** Such as `change-names`. */
  readonly actions: readonly string[];
  /** Whether everybody may do everything though others reach the service. */
  readonly insecure: boolean;
  /** When the session ends, in seconds since 1970 by the clock of the service. */
  readonly expiresAt: number | null;
}

/** Somebody who may sign in. */
export interface UserInfo {
  readonly name: string;
  readonly role: string;
  readonly createdAt: number;
  readonly hasPassword: boolean;
}

/** A session of a browser, or the token of a program. */
export interface CredentialInfo {
  readonly id: string;
  readonly kind: 'session' | 'token';
  readonly role: string;
  readonly user: string | null;
  readonly label: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** The last day on which it was used. */
  readonly lastUsed: number | null;
}

export function readSession(calls: JsonCalls): Promise<SessionInfo> {
  return calls.get('api/session');
}

export function signIn(calls: JsonCalls, name: string, password: string): Promise<SessionInfo> {
  return calls.post('api/session', { name, password });
}

export function signOut(calls: JsonCalls): Promise<void> {
  return calls.remove('api/session');
}

/** Makes the first user, with the code that the service has written where it was started. */
export function claim(
  calls: JsonCalls,
  first: { readonly code: string; readonly name: string; readonly password: string },
): Promise<SessionInfo> {
  return calls.post('api/setup', first);
}

export function listUsers(calls: JsonCalls): Promise<readonly UserInfo[]> {
  return calls.get('api/users');
}

/** Adds somebody, or changes what is given. */
export function saveUser(
  calls: JsonCalls,
  user: { readonly name: string; readonly role?: string; readonly password?: string },
): Promise<unknown> {
  return calls.post('api/users', user);
}

export function removeUser(calls: JsonCalls, name: string): Promise<void> {
  return calls.remove('api/users', { name });
}

export function changePassword(calls: JsonCalls, current: string, password: string): Promise<void> {
  return calls.post('api/password', { current, password });
}

/** @param isAll Of everybody, and not only of who asks. */
export function listCredentials(calls: JsonCalls, isAll: boolean): Promise<readonly CredentialInfo[]> {
  return calls.get('api/credentials', { all: isAll ? 1 : undefined });
}

/** The token is told this once. */
export function makeToken(
  calls: JsonCalls,
  token: { readonly label: string; readonly role: string; readonly days?: number },
): Promise<{ readonly id: string; readonly token: string }> {
  return calls.post('api/tokens', token);
}

export function revokeCredential(calls: JsonCalls, id: string): Promise<void> {
  return calls.remove('api/credentials', { id });
}

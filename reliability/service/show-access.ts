import type { ShownAccess, ShownUser } from '../ledger/contents.js';
import { KEEPER, MOVER, versionOfUser } from '../ledger/users.js';

/** Users whom the service under test makes for itself are left out. */
const USERS: readonly string[] = [KEEPER, MOVER];
const TOKEN = /^t[0-9]+$/;

interface Listed {
  readonly users: readonly { readonly name: string; readonly role: string }[];
  readonly credentials: readonly {
    readonly kind: string;
    readonly label: string;
    readonly user?: string | null | undefined;
  }[];
}

/**
 * Users, sessions and tokens, from the lists of a service or a store.
 *
 * @param versions Versions that users may have.
 * @param isPassword Tells whether a password of a user is right.
 */
export async function showAccess(
  { users, credentials }: Listed,
  versions: ReadonlyMap<string, readonly number[]>,
  isPassword: (name: string, password: string) => Promise<boolean>,
): Promise<ShownAccess> {
  const shown: ShownUser[] = [];
  for (const user of users) {
    const { name } = user;
    if (!USERS.includes(name)) continue;
    const version = await versionOfUser(user, versions.get(name) ?? [], (text) => isPassword(name, text));
    shown.push({ name, version });
  }
  const sessions = credentials.flatMap(({ kind, user }) => (kind === 'session' ? [user ?? ''] : []));
  const labels = credentials.filter(({ kind }) => kind === 'token').map(({ label }) => label);
  return { users: shown, sessions, tokens: labels.filter((label) => TOKEN.test(label)) };
}

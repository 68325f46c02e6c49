/** The user whose password changes, and who signs in. Sessions of this role last longer than all runs by the clock. */
export const KEEPER = 'keeper';
/** The user whose role changes. */
export const MOVER = 'mover';

const moverRoles = ['viewer', 'desk', 'kiosk'] as const;

/** The role of a user in version `version`. */
export function roleOf(name: string, version: number): string {
  return name === KEEPER ? 'kiosk' : (moverRoles[version % moverRoles.length] ?? '');
}

/** The password of a user in version `version`; `undefined` for a user who never signs in. */
export function passwordOf(name: string, version: number): string | undefined {
  return name === KEEPER ? `walnut ${version} over ${version * 7919} gables` : undefined;
}

/**
 * The first of the possible versions that fits a user.
 *
 * @param versions Possible versions.
 * @param isPassword Tells whether a password is right.
 */
export async function versionOfUser(
  { name, role }: { readonly name: string; readonly role: string },
  versions: readonly number[],
  isPassword: (password: string) => Promise<boolean>,
): Promise<number | undefined> {
  for (const version of versions) {
    if (role !== roleOf(name, version)) continue;
    const password = passwordOf(name, version);
    if (password === undefined || (await isPassword(password))) return version;
  }
  return undefined;
}

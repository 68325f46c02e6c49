/** The user whose password changes, and who signs in. Sessions of this role outlive the clock of all runs. */
export const KEEPER = 'keeper';
/** The user whose role changes. */
export const MOVER = 'mover';

const moverRoles = ['viewer', 'desk', 'kiosk'] as const;

/** The role that version `version` of a user has. */
export function roleOf(name: string, version: number): string {
  return name === KEEPER ? 'kiosk' : (moverRoles[version % moverRoles.length] ?? '');
}

/** The password that version `version` of a user has; `undefined` for one that never signs in. */
export function passwordOf(name: string, version: number): string | undefined {
  return name === KEEPER ? `walnut ${version} over ${version * 7919} gables` : undefined;
}

/**
 * Which version of a user it is: the first that fits.
 *
 * @param versions Those that it may be.
 * @param isPassword Whether that is the password.
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

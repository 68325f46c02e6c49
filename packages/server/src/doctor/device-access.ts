import { access, constants, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';

/** Whether the user may use a device file, and what to do if not. */
export type DeviceAccess =
  | { readonly isAllowed: true }
  | {
      readonly isAllowed: false;
      readonly why: string;
      /** A command to copy, or a sentence. */
      readonly remedy: string;
    };

/** The rights of a device file. */
export interface DeviceRights {
  /** Name of the group of the file. */
  readonly group: string;
  /** Whether that group may use the file. */
  readonly isGroupAllowed: boolean;
}

/** The user who runs the command. */
export interface DeviceUser {
  readonly name: string;
  /** Whether the list of groups has the user in the group of the file. */
  readonly isMember: boolean;
}

/** Advice with the path of the rule file in a checkout. */
const RULES =
  'docs/how-to/99-tallybook.rules of Tallybook gives it to a group: copy it to /etc/udev/rules.d/';

/** Says whether a user may use a device, and what to do if not. */
export function advise(
  { group, isGroupAllowed }: DeviceRights,
  { name, isMember }: DeviceUser,
): DeviceAccess {
  const refused = (why: string, remedy: string): DeviceAccess => ({ isAllowed: false, why, remedy });
  if (!isGroupAllowed || group === 'root') return refused(`only root may use it, and this is ${name}`, RULES);
  const again = 'log in again, or restart the service';
  return isMember
    ? refused(`${name} was added to the group ${group} after this session began`, again)
    : refused(
        `only the group ${group} may use it, and ${name} is not in it`,
        `sudo usermod -aG ${group} ${name}   # then ${again}`,
      );
}

function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the number of a user may have no name.
    return `user ${process.getuid?.()}`;
  }
}

/** Checks the rights of device files for the user of this process. */
export class DeviceRightsReader {
  readonly #groupFile: string;
  readonly #access: typeof access;

  /**
   * @param groupFile The list of groups, such as `/etc/group`.
   * @param mayAccess Checks the rights in the system. Default: `access` of Node.
   */
  constructor(groupFile: string, mayAccess: typeof access = access) {
    this.#groupFile = groupFile;
    this.#access = mayAccess;
  }

  /** Rejects if the file is gone. */
  async accessTo(path: string, need: 'read' | 'read and write'): Promise<DeviceAccess> {
    const isRead = need === 'read';
    try {
      await this.#access(path, isRead ? constants.R_OK : constants.R_OK | constants.W_OK);
      return { isAllowed: true };
    } catch {
      const { gid, mode } = await stat(path);
      const needed = isRead ? 0o040 : 0o060;
      const name = readUserName();
      const group = (await this.#readGroups()).find((each) => each.gid === gid);
      return advise(
        { group: group?.name ?? String(gid), isGroupAllowed: (mode & needed) === needed },
        { name, isMember: group?.members.includes(name) === true },
      );
    }
  }

  async #readGroups(): Promise<readonly { name: string; gid: number; members: readonly string[] }[]> {
    const text = await readFile(this.#groupFile, 'utf8').catch(() => '');
    return text.split('\n').map((line) => {
      const [name = '', , gid, members = ''] = line.split(':');
      return { name, gid: Number(gid), members: members.split(',') };
    });
  }
}

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { TallybookError } from '@tallybook/domain';

/** The name of the control socket in the folder of a store. */
const CONTROL_SOCKET = 'control.sock';

/**
 * Longest path in the address of a socket, in bytes. Linux allows 107, other systems 103. Node cuts off the rest
 * without an error.
 */
const MAX_BYTES = 103;

/** The path of the control socket of a store, while it is used. */
export interface SocketPath {
  readonly path: string;
  /** Call it when neither a server nor a client needs the path any more. */
  release(): Promise<void>;
}

/**
 * A path of the control socket that is short enough for the address of a socket. A too long path is replaced by a path
 * through the open folder.
 *
 * Rejects with `STORE_UNAVAILABLE` if the path is too long and this system has no paths through open folders.
 */
export async function findSocketPath(folder: string): Promise<SocketPath> {
  const path = join(folder, CONTROL_SOCKET);
  if (Buffer.byteLength(path) <= MAX_BYTES) return { path, release: () => Promise.resolve() };
  if (process.platform !== 'linux') {
    throw new TallybookError(
      'STORE_UNAVAILABLE',
      `${path} is too long for the path of a socket: at most ${MAX_BYTES} bytes`,
      { details: { path } },
    );
  }
  const handle = await open(folder, 'r');
  return { path: `/proc/self/fd/${handle.fd}/${CONTROL_SOCKET}`, release: () => handle.close() };
}

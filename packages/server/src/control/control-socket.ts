import { open, lstat, unlink } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { TallybookError, ManagedResource } from '@tallybook/domain';

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

export interface ControlSocketOptions {
  /** Called with the reason why there is no socket: the service goes on without it. */
  readonly onFault?: (error: unknown) => void;
  /** Longest time, in milliseconds, for unfinished requests when the socket closes, at least 1, default 2000. */
  readonly drainMs?: number;
}

const DRAIN_MS = 2_000;
/** Largest number of connections. Commands come one at a time. */
const MAX_CONNECTIONS = 20;
const OWNER_ONLY = 0o177;

const ofOwner = new WeakSet<IncomingMessage>();

/** Whether a request came by a control socket. */
export function isOfOwner(request: IncomingMessage): boolean {
  return ofOwner.has(request);
}

/**
 * Listens for HTTP on a socket in the folder of the store, for commands while the service runs. Only the owner of the folder
 * and root may connect: nobody else may use the file, and no page in a browser reaches it.
 *
 * Open it while the store is open: the lock of the store shows that no other service has a socket there. Without a folder there
 * is no socket.
 */
export class ControlSocket extends ManagedResource {
  readonly #handle: RequestListener;
  readonly #folder: string | undefined;
  readonly #options: ControlSocketOptions;
  #listening: { readonly server: Server; readonly path: SocketPath } | undefined;

  constructor(handle: RequestListener, folder: string | undefined, options: ControlSocketOptions = {}) {
    super();
    this.#handle = handle;
    this.#folder = folder;
    this.#options = options;
  }

  protected override async onOpen(): Promise<void> {
    if (this.#folder === undefined) return;
    try {
      const path = await findSocketPath(this.#folder);
      try {
        await removeFormer(path.path);
        this.#listening = { server: await this.#listen(path.path), path };
      } catch (error) {
        await path.release();
        throw error;
      }
    } catch (error) {
      // Not every file system supports sockets.
      this.#options.onFault?.(error);
    }
  }

  protected override async onClose(): Promise<void> {
    if (this.#listening === undefined) return;
    const { server, path } = this.#listening;
    this.#listening = undefined;
    const deadline = setTimeout(() => server.closeAllConnections(), this.#options.drainMs ?? DRAIN_MS);
    // This removes the file, too.
    await new Promise((resolve) => server.close(resolve));
    clearTimeout(deadline);
    await path.release();
  }

  #listen(path: string): Promise<Server> {
    const server = createServer({ keepAlive: false }, (request, response) => {
      // Each connection has one request, so that closing does not wait for idle connections.
      response.setHeader('Connection', 'close');
      ofOwner.add(request);
      this.#handle(request, response);
    });
    server.maxConnections = MAX_CONNECTIONS;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      // The file is made before `listen` returns, and nobody else may ever use it.
      const umask = process.umask(OWNER_ONLY);
      try {
        server.listen(path, () => resolve(server));
      } finally {
        process.umask(umask);
      }
    });
  }
}

/** Removes the socket of a killed process. Other files are not removed. */
async function removeFormer(path: string): Promise<void> {
  let isSocket: boolean;
  try {
    isSocket = (await lstat(path)).isSocket();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (!isSocket)
    throw new TallybookError('STORE_UNAVAILABLE', `${path} is not a socket`, { details: { path } });
  // `rm` is not used: it reads the state of the file with a callback, and Node keeps the last state. While that is the state of
  // a socket, Node does not recognise links to packages, and does not find modules that are loaded later.
  await unlink(path);
}

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OpenAnswer, OpenRequest } from './opener.js';

const program = fileURLToPath(new URL('./opener.ts', import.meta.url));

/** Time limit for one store, in milliseconds. Only a failure reaches it. */
const PATIENCE_MS = 60_000;

/** The result of opening a store; `signal` if a signal ended the process. */
export type Opening = OpenAnswer | { readonly signal: string };

/** Opens stores in another process, one at a time. If that process ends, a new one is started. */
export class OpenerProcess implements Disposable {
  #child: ChildProcess | undefined;

  /**
   * Lets the process open, use and close a store.
   *
   * @param whileOpen Damages the store between its opening and its first use.
   */
  open(request: OpenRequest, whileOpen?: () => void): Promise<Opening> {
    const child = (this.#child ??= startOpener());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`${request.path} was not opened within ${PATIENCE_MS / 1_000} s`));
      }, PATIENCE_MS);
      const settle = (opening: Opening): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(opening);
      };
      child.on('message', (message: OpenAnswer | 'open') => {
        if (message !== 'open') {
          settle(message);
          return;
        }
        whileOpen?.();
        child.send('go on');
      });
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        this.#child = undefined;
        settle({ signal: signal ?? `exit code ${code}` });
      });
      child.send({ ...request, isHeldOpen: whileOpen !== undefined });
    });
  }

  [Symbol.dispose](): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

function startOpener(): ChildProcess {
  // Without coverage: merged with that of this process, the coverage of a child would make covered lines count as
  // uncovered.
  const env = { ...process.env, NODE_V8_COVERAGE: '' };
  return fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env });
}

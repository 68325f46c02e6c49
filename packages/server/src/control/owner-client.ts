import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { errorCodes, TallybookError, type ErrorCode } from '@tallybook/domain';
import { findSocketPath } from './control-socket.js';

/** The body of a request. */
interface Content {
  readonly type: string;
  readonly bytes: string | Uint8Array;
}

/** Codes of errors that mean that no service listens there. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

/** Client of the service that has a store open, through the control socket, with the rights of the owner. */
export class OwnerClient {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether a service answers. Rejects with `STORE_UNAVAILABLE` if this user may not connect. */
  async isAnswered(): Promise<boolean> {
    try {
      await text(await this.#send('GET', '/api/session'));
      return true;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (NOBODY.includes(code)) return false;
      if (code !== 'EACCES' && code !== 'EPERM') throw error;
      throw new TallybookError(
        'STORE_UNAVAILABLE',
        `only the owner of ${this.#folder} may do this; run it as the user that the service runs as (sudo -u USER)`,
        { cause: error, details: { path: this.#folder } },
      );
    }
  }

  /** The answer to a GET. Rejects with the code and the text of the problem in the answer of the service. */
  async get<T>(path: string): Promise<T> {
    return JSON.parse(await text(await this.#ask('GET', path))) as T;
  }

  /** The bytes of the answer of a path, unchanged. Rejects as {@link get}, and if the answer is cut off. */
  async *read(path: string): AsyncGenerator<Buffer, void, undefined> {
    yield* (await this.#ask('GET', path)) as AsyncIterable<Buffer>;
  }

  /** Sends JSON. Resolves with the answer, as {@link send} does. */
  post<T>(path: string, body: object): Promise<T> {
    return this.send(path, { type: 'application/json', bytes: JSON.stringify(body) });
  }

  /** Sends a body. Resolves with the answer, or with `undefined` if it is empty. Rejects as {@link get}. */
  async send<T>(path: string, content: Content): Promise<T> {
    const answer = await text(await this.#ask('POST', path, content));
    return (answer === '' ? undefined : JSON.parse(answer)) as T;
  }

  async delete(path: string): Promise<void> {
    await text(await this.#ask('DELETE', path));
  }

  async #ask(method: string, path: string, content?: Content): Promise<IncomingMessage> {
    const answer = await this.#send(method, path, content);
    const { statusCode = 0 } = answer;
    if (statusCode < 400) return answer;
    throw problemOf(statusCode, await text(answer));
  }

  async #send(method: string, path: string, content?: Content): Promise<IncomingMessage> {
    const socket = await findSocketPath(this.#folder);
    try {
      const sent = request({
        ...{ socketPath: socket.path, method, path, agent: false },
        headers: {
          ...{ Host: 'localhost', Accept: 'application/json' },
          ...(content !== undefined && { 'Content-Type': content.type }),
        },
      });
      sent.end(content?.bytes);
      return ((await once(sent, 'response')) as [IncomingMessage])[0];
    } finally {
      await socket.release();
    }
  }
}

function problemOf(status: number, body: string): TallybookError {
  let problem: { readonly code?: unknown; readonly detail?: unknown; readonly title?: unknown } = {};
  try {
    problem = JSON.parse(body) as typeof problem;
  } catch {
    // The answer does not come from the application.
  }
  const message = [problem.detail, problem.title, `the service answered ${status}`].find(
    (each): each is string => typeof each === 'string',
  );
  const code: ErrorCode = errorCodes.find((each) => each === problem.code) ?? 'INVALID_OPTION';
  return new TallybookError(code, message ?? '');
}

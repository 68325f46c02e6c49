import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { errorCodes, TallybookError, type ErrorCode } from '@tallybook/domain';
import { findSocketPath } from './socket-path.js';

/** What a request to a service came to. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Nobody listens there. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

/** Asks the service that has a store open, on behalf of its owner, by the control socket. */
export class OwnerClient {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether a service answers. Rejects with `STORE_UNAVAILABLE` if this user may not ask it. */
  async isAnswered(): Promise<boolean> {
    try {
      await this.#send('GET', '/api/session');
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

  /** What a path answers. Rejects with the code and the words of the problem that the service has with it. */
  async get<T>(path: string): Promise<T> {
    return JSON.parse((await this.#ask('GET', path)).body) as T;
  }

  /** @returns The answer, and whether something is new: 201. */
  async post<T>(path: string, body: object): Promise<{ readonly answer: T; readonly isNew: boolean }> {
    const { status, body: answer } = await this.#ask('POST', path, body);
    return { answer: (answer === '' ? undefined : JSON.parse(answer)) as T, isNew: status === 201 };
  }

  async delete(path: string): Promise<void> {
    await this.#ask('DELETE', path);
  }

  async #ask(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#send(method, path, body);
    if (answer.status < 400) return answer;
    throw problemOf(answer);
  }

  async #send(method: string, path: string, body?: object): Promise<Answer> {
    const socket = await findSocketPath(this.#folder);
    try {
      const sent = request({
        ...{ socketPath: socket.path, method, path, agent: false },
        headers: {
          Host: 'localhost',
          Accept: 'application/json',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode ?? 0, body: await text(response) };
    } finally {
      await socket.release();
    }
  }
}

function problemOf({ status, body }: Answer): TallybookError {
  let problem: { readonly code?: unknown; readonly detail?: unknown; readonly title?: unknown } = {};
  try {
    problem = JSON.parse(body) as typeof problem;
  } catch {
    // Not from the application.
  }
  const message = [problem.detail, problem.title, `the service answered ${status}`].find(
    (each): each is string => typeof each === 'string',
  );
  const code: ErrorCode = errorCodes.find((each) => each === problem.code) ?? 'INVALID_OPTION';
  return new TallybookError(code, message ?? '');
}

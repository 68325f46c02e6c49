import { TallybookClientError } from '../tallybook-client-error.js';
import type { CallOptions, ReadOptions } from './call-options.js';
import { downloadOf, type Download, type Query, type Transport } from './transport.js';
import { readJson, readNothing, type ReadJson } from './read-answer.js';

/** The kinds of calls of the interface. */
export class Calls {
  private readonly transport: Transport;
  /** ETag and URL of each object that was read. */
  private readonly tags = new WeakMap<object, { readonly url: string; readonly tag: string }>();

  constructor(transport: Transport) {
    this.transport = transport;
  }

  read<T extends object>(path: string, query: Query, { known, signal }: ReadOptions<T>): Promise<T> {
    const url = this.transport.url(path, query);
    const kept = known && this.tags.get(known);
    const headers = kept?.url === url ? { 'If-None-Match': kept.tag } : {};
    return this.transport.exchange({ path, query, headers, signal }, async (response) => {
      if (response.status === 304 && known !== undefined) return known;
      const value = (await readJson(response)) as T;
      const tag = response.headers.get('ETag');
      if (tag !== null) this.tags.set(value, { url, tag });
      return value;
    });
  }

  /** Reads data; resolves with `undefined` if there is none. */
  find<T extends object>(path: string, query: Query, options: ReadOptions<T>): Promise<T | undefined> {
    return unless(404, this.read(path, query, options), undefined);
  }

  /** Resolves with `true` for a success, and with `false` for 503. Rejects otherwise. */
  test(path: string, { signal }: CallOptions): Promise<boolean> {
    const read = this.transport.exchange({ path, signal }, readJson);
    return unless(
      503,
      read.then(() => true),
      false,
    );
  }

  /** Sends JSON to which the answer is empty. */
  send<T>(path: string, body: object, options: CallOptions, use: (response: Response) => T): Promise<T> {
    return this.post(path, body, options, async (response) => {
      await readNothing(response);
      return use(response);
    });
  }

  /** Sends JSON, and resolves with the answer. */
  post<T>(path: string, body: object, { signal }: CallOptions, use = readJson as ReadJson<T>): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    const request = { method: 'POST', path, headers, body: JSON.stringify(body), signal } as const;
    return this.transport.exchange(request, use);
  }

  /** Resolves with whether there was anything to remove. */
  remove(path: string, query: Query, { signal }: CallOptions): Promise<boolean> {
    const removed = this.transport.exchange({ method: 'DELETE', path, query, signal }, readNothing);
    return unless(
      404,
      removed.then(() => true),
      false,
    );
  }

  async download(path: string, query: Query, type: string, { signal }: CallOptions): Promise<Download> {
    return downloadOf(await this.transport.begin({ path, query, signal }), type);
  }
}

/** The answer; something else if the service refuses with this status. */
async function unless<T, U>(status: number, answer: Promise<T>, other: U): Promise<T | U> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TallybookClientError && error.kind === 'http' && error.status === status)
      return other;
    throw error;
  }
}

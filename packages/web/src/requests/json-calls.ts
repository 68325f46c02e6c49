import { TallybookClientError } from '@tallybook/client';

type Query = Readonly<Record<string, string | number | undefined>>;

/** What only this page asks of the service, as JSON. It fails as the client does. */
export class JsonCalls {
  private readonly send: typeof fetch;

  /** @param send `fetch`, or what is in its place. */
  constructor(send: typeof fetch) {
    this.send = send;
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.exchange<T>('GET', path, query);
  }

  /** Resolves with what is answered; `undefined` if that is nothing. */
  post<T = void>(path: string, body: object): Promise<T> {
    return this.exchange<T>('POST', path, {}, JSON.stringify(body));
  }

  remove(path: string, query: Query = {}): Promise<void> {
    return this.exchange<void>('DELETE', path, query);
  }

  /** Relative to the page, as for a link. */
  url(path: string, query: Query): string {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return `./${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`}`;
  }

  private async exchange<T>(method: string, path: string, query: Query, body?: string): Promise<T> {
    let response: Response;
    let text: string;
    try {
      response = await this.send(this.url(path, query), {
        method,
        headers: {
          Accept: 'application/json',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      });
      text = await response.text();
    } catch (cause) {
      throw new TallybookClientError('network', 'the service cannot be reached', { cause });
    }
    const value = parse(text);
    if (response.ok) return value as T;
    const { detail, code } = (value ?? {}) as { readonly detail?: string; readonly code?: string };
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
    throw new TallybookClientError('http', detail ?? `the service answered ${response.status}`, {
      status: response.status,
      code,
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
    });
  }
}

/** Something else may have answered, such as a proxy. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

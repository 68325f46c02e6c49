import type { ServerResponse } from 'node:http';
import type { Subscription } from '@tallybook/domain';

/** Called with measurements of requests and connections. */
export interface HttpObserver {
  /**
   * @param route The path of the interface that was asked for; `page` or `other`.
   * @param status Its class, such as `2xx`; `cut` if the client did not get all of the answer.
   */
  readonly onAnswered: (route: string, status: string, seconds: number) => void;
  /** @param limit The limit that a connection or a request has reached. */
  readonly onRefused: (limit: string) => void;
}

/** Streams are not measured: they last as long as a client likes. */
const STREAM = '/api/idevent';

/** Measures requests for an observer; costs nothing while there is none. */
export class HttpMeter {
  #observer: HttpObserver | undefined;
  /** The paths of the interface, set by whoever serves them. Other paths are never named: anybody can make up any number of them. */
  routes: ReadonlySet<string> = new Set();
  /** Counts open connections; set by the listener. */
  countConnections: () => number = () => 0;

  observe(observer: HttpObserver): Subscription {
    this.#observer = observer;
    return { unsubscribe: () => (this.#observer = undefined) };
  }

  noteRequest(response: ServerResponse): void {
    const observer = this.#observer;
    if (observer === undefined) return;
    const route = this.#routeOf(response.req.url ?? '');
    if (route === STREAM) return;
    const begunMs = performance.now();
    response.once('close', () => {
      const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'cut';
      observer.onAnswered(route, status, (performance.now() - begunMs) / 1000);
    });
  }

  noteRefused(limit: string): void {
    this.#observer?.onRefused(limit);
  }

  #routeOf(url: string): string {
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (this.routes.has(path)) return path;
    return path.startsWith('/api') ? 'other' : 'page';
  }
}

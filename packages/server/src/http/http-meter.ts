import type { ServerResponse } from 'node:http';
import type { Subscription } from '@tallybook/domain';

/** Called with measurements of requests and connections. */
export interface HttpObserver {
  /**
   * @param route The requested path of the interface; or `page`, or `other`.
   * @param status The class of the status, such as `2xx`; `cut` if the client did not get the whole answer.
   */
  readonly onAnswered: (route: string, status: string, seconds: number) => void;
  /** @param limit The reached limit of a connection or a request. */
  readonly onRefused: (limit: string) => void;
}

/** Event streams are not measured: the client decides how long they last. */
const STREAM = '/api/idevent';

/** Measures requests for an observer. Without an observer it costs nothing. */
export class HttpMeter {
  #observer: HttpObserver | undefined;
  /**
   * The paths of the interface, set by the code that serves them. Other paths are never named: clients can invent any
   * number of them.
   */
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

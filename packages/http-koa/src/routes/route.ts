import type Koa from 'koa';

/** What is done for a method on a path. `GET` answers `HEAD` too. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/api/${string}`;
  readonly handle: (ctx: Koa.Context) => unknown;
}

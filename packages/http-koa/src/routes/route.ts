import type { Action } from '@tallybook/domain';
import type Koa from 'koa';

/** What is done for a method on a path. `GET` answers `HEAD` too. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/api/${string}`;
  /** What one must be allowed to do for it; `public` if nothing. A query may decide. */
  readonly action: Action | 'public' | ((ctx: Koa.Context) => Action);
  /** Whether it reads much of the store, so that a client may ask for it less often. Default: no. */
  readonly isCostly?: true;
  readonly handle: (ctx: Koa.Context) => unknown;
}

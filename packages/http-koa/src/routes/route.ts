import type Koa from 'koa';
import type { Requirement } from '../access/admission.js';

/** A method on a path, with its handler. `GET` answers `HEAD` too. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/api/${string}`;
  /** The needed right. */
  readonly action: Requirement;
  /** Whether it is answered by group. Default: no. */
  readonly isByGroup?: true;
  /** Whether it reads much of the store. If so, each client may request it less often. Default: no. */
  readonly isCostly?: true;
  readonly handle: (ctx: Koa.Context) => unknown;
}

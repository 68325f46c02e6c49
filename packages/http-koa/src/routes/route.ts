import type { Action } from '@tallybook/domain';
import type Koa from 'koa';
import type { Requirement } from '../access/admission.js';

/** A method on a path, with its work. `GET` answers `HEAD` too. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/api/${string}`;
  /** The right that it needs. It may depend on the request, and on what its principal may do. */
  readonly action: Requirement | ((ctx: Koa.Context, may: (action: Action) => boolean) => Requirement);
  /** Whether it reads much of the store, so that a client may ask for it less often. Default: no. */
  readonly isCostly?: true;
  /** All rights that a request may need, if that depends on the request; for the description of the interface. */
  readonly actions?: readonly Requirement[];
  readonly handle: (ctx: Koa.Context) => unknown;
}

import type { Action } from '@tallybook/domain';
import type Koa from 'koa';
import type { Requirement } from '../access/admission.js';

/** What is done for a method on a path. `GET` answers `HEAD` too. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/api/${string}`;
  /** What one must be allowed to do for it. The request may decide; then it asks what whoever asks may do. */
  readonly action: Requirement | ((ctx: Koa.Context, may: (action: Action) => boolean) => Requirement);
  /** What a request may turn out to need, if it decides; for the description of the interface. */
  readonly actions?: readonly Requirement[];
  /** Whether it reads much of the store, so that a client may ask for it less often. Default: no. */
  readonly isCostly?: true;
  readonly handle: (ctx: Koa.Context) => unknown;
}

import type { JsonCalls } from './json-calls.js';

export type HealthStatus = 'ok' | 'warn' | 'fail';

/** How a part of the service is. */
export interface PartHealth {
  /** Such as `store`. */
  readonly part: string;
  readonly status: HealthStatus;
  /** What is wrong, and what to do, as the service says it. */
  readonly detail?: string;
  readonly items?: readonly {
    readonly name: string;
    readonly status: HealthStatus;
    readonly detail?: string;
  }[];
}

export interface HealthInfo {
  readonly status: HealthStatus;
  readonly parts: readonly PartHealth[];
}

export function readHealth(calls: JsonCalls): Promise<HealthInfo> {
  return calls.get('api/health');
}

export type HealthStatus = 'ok' | 'warn' | 'fail';

/** How a part of the service is. */
interface PartHealth {
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

/** Everybody may ask. `undefined` if the service does not say it. */
export async function readHealth(signal: AbortSignal): Promise<HealthInfo | undefined> {
  const response = await fetch('./api/health', { signal });
  return response.ok ? ((await response.json()) as HealthInfo) : undefined;
}

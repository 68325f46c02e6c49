/** `ok`: nothing to do; `warn`: somebody should look; `fail`: it does not work. */
export type HealthStatus = 'ok' | 'warn' | 'fail';

/** Result of a check. */
export interface Finding {
  readonly status: HealthStatus;
  /** For people who look after the service: what is wrong, and what to do. Absent if there is nothing to say. */
  readonly detail?: string;
  /** Findings of each thing, if the part has several, such as readers. */
  readonly items?: readonly NamedFinding[];
}

export interface NamedFinding {
  readonly name: string;
  readonly status: HealthStatus;
  readonly detail?: string;
}

/** Looks at one part of the service. */
export interface HealthCheck {
  /** Name of the part, such as `store`. It never names a person or a place. */
  readonly part: string;
  /** Whether the service cannot work without this part. If so, it is not ready while this part fails. Default: false. */
  readonly isVital?: boolean;
  /** A check that rejects, or takes too long, counts as `fail`. */
  readonly check: () => Finding | Promise<Finding>;
}

/** Health of a part of the service. */
export interface PartHealth extends Finding {
  readonly part: string;
}

/** Health of the service. */
export interface Health {
  /** Worst status of its parts. */
  readonly status: HealthStatus;
  /** Whether it can do its work: no vital part fails. */
  readonly isReady: boolean;
  /** In the order of the checks. */
  readonly parts: readonly PartHealth[];
}

/** Says what is wrong, if something is. */
export function warning(detail: string | undefined): Finding {
  return detail === undefined ? { status: 'ok' } : { status: 'warn', detail };
}

const ranks: Readonly<Record<HealthStatus, number>> = { ok: 0, warn: 1, fail: 2 };

/** The worst of the statuses; `ok` if there are none. */
export function worstOf(statuses: readonly HealthStatus[]): HealthStatus {
  return statuses.reduce((worst, each) => (ranks[each] > ranks[worst] ? each : worst), 'ok');
}

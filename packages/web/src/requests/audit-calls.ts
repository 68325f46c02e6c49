import type { JsonCalls } from './json-calls.js';

/** Something that somebody did. */
export interface AuditEntry {
  readonly number: number;
  readonly at: number;
  readonly actor: string;
  /** Such as `signed-in`. */
  readonly action: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

export interface AuditPart {
  /** Ascending by number. */
  readonly entries: readonly AuditEntry[];
  /** Whether none is missing or was changed. */
  readonly isWhole: boolean;
}

/** The entries behind a number, ascending. */
export function readAudit(
  calls: JsonCalls,
  part: { readonly after?: number; readonly limit: number },
): Promise<AuditPart> {
  return calls.get('api/audit', part);
}

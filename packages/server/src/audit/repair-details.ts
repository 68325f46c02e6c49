import type { AuditDetails } from '@tallybook/domain';
import type { RepairReport } from '@tallybook/store-level';

/** What the audit trail has of a repair. */
export function repairDetails({
  saved,
  damagedRows,
  lostChanges,
  missingCommits,
}: RepairReport): AuditDetails {
  const { names, days, entries, users, credentials, auditEntries } = saved;
  return { names, days, entries, users, credentials, auditEntries, damagedRows, lostChanges, missingCommits };
}

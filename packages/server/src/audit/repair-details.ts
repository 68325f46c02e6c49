import type { AuditDetails } from '@tallybook/domain';
import type { RepairReport } from '@tallybook/store-level';

/** Details of a repair for the audit trail. */
export function repairDetails({
  saved,
  damagedRows,
  lostChanges,
  missingCommits,
}: RepairReport): AuditDetails {
  const { names, days, entries, users, credentials, auditEntries } = saved;
  return { names, days, entries, users, credentials, auditEntries, damagedRows, lostChanges, missingCommits };
}

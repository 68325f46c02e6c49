import type { AuditAction, AuditDetails } from '@tallybook/domain';
import { AuditTrail } from '@tallybook/domain/access';
import { SystemSecrets } from '@tallybook/system';
import type { FullStorage } from '../config/stores.js';
import { systemTime as timekeeper } from '../config/system-time.js';

/** The trail of a store that a command has opened, with the clock of the system. */
export function trailOf(
  { audit: store }: Pick<FullStorage, 'audit'>,
  options: { readonly isClaimed?: () => boolean } = {},
): AuditTrail {
  const secrets = new SystemSecrets();
  return new AuditTrail({ store, digest: (text) => secrets.digest(text), timekeeper }, options);
}

/**
 * Records the action of a command on an open storage in the trail. While there are no users, only actions that change the record
 * for good are recorded, such as erasures. The service does the same.
 *
 * Never rejects, because the action is done already. A failure is reported on standard error.
 */
export async function noteAsOwner(
  storage: Pick<FullStorage, 'audit' | 'access'>,
  action: AuditAction,
  details: AuditDetails,
): Promise<void> {
  try {
    // If the users cannot be read, assume that there are some.
    const hasUsers = await storage.access.read().then(
      ({ users }) => users.length > 0,
      () => true,
    );
    const trail = trailOf(storage, { isClaimed: () => hasUsers });
    trail.faults.subscribe(({ error }) => warn(action, error));
    await trail.note('console', action, details);
  } catch (error) {
    warn(action, error);
  }
}

function warn(action: AuditAction, error: unknown): void {
  process.stderr.write(
    `tallybook: could not note ${action} in the audit trail: ${(error as Error).message}\n`,
  );
}

import { TallybookError } from '../errors.js';
import type { AuditNotes } from '../ports/audit-notes.js';
import type { Storage } from '../ports/storage.js';
import type { Feature } from '../tallybook.js';
import type { AccessDependencies, AccessOptions } from './access-parts.js';
import { AccessService } from './access-service.js';
import { AuditTrail } from './audit/audit-trail.js';
import type { AccessFacets } from './ports/access-store.js';

export interface AccessFeatureOptions
  extends AccessOptions, Pick<AccessDependencies, 'secrets' | 'isCommonPassword' | 'passkeys' | 'provider'> {
  /** Called with each change of users and each sign-in, before it is noted in the audit trail. */
  readonly onAct?: (...act: Parameters<AuditNotes['note']>) => void;
}

/** The services of {@link access}. */
export interface AccessServices {
  readonly access: AccessService;
  readonly audit: AuditTrail;
}

/** Milliseconds for which a session may go on here after another server has ended it. */
const LOOK_MS = 250;

/**
 * Users, roles, sessions, tokens and passkeys, and the audit trail.
 *
 * @throws {TallybookError} `INVALID_OPTION` without `secrets` or `isCommonPassword`.
 */
export function access(options: AccessFeatureOptions): Feature<AccessServices> {
  // An app without types may leave out anything.
  const given = (options as Partial<AccessFeatureOptions> | undefined) ?? {};
  const { secrets, isCommonPassword, passkeys, provider, onAct, ...accessOptions } = given;
  if (secrets === undefined || isCommonPassword === undefined) {
    throw new TallybookError('INVALID_OPTION', 'access() needs secrets and isCommonPassword');
  }
  return {
    name: 'access',
    needs: ['access', 'audit'],
    begin: ({ storage, timekeeper, calendar, report }) => {
      const stores = storage as Storage & AccessFacets;
      const audit = new AuditTrail(
        { store: stores.audit, timekeeper, digest: (text) => secrets.digest(text) },
        { isClaimed: () => service.state === 'claimed' },
      );
      const notes: AuditNotes = {
        note: async (...act) => {
          onAct?.(...act);
          await audit.note(...act);
        },
      };
      const service: AccessService = new AccessService(
        {
          ...{
            store: stores.access,
            secrets,
            isCommonPassword,
            passkeys,
            timekeeper,
            calendar,
            audit: notes,
          },
          ...(provider && { provider }),
          onFault: (error) => report({ part: 'access', error }),
        },
        { ...(storage.isShared === true && { lookMs: LOOK_MS }), ...accessOptions },
      );
      return {
        audit,
        add: (tallybook) => {
          tallybook.attach('services', service);
          return { access: service, audit };
        },
      };
    },
  };
}

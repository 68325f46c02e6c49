import type { AccessFacets } from '../access/ports/access-store.js';
import type { AuditNotes } from '../ports/audit-notes.js';
import type { Storage } from '../ports/storage.js';
import type { BackupService } from '../record/backup/backup-service.js';
import type { RecordFacets } from '../record/ports/correction-store.js';
import type { PersonalFacets } from '../record/ports/erasure-store.js';
import type { Feature, Tallybook } from '../tallybook.js';
import { ErasureService, type BackupSearch } from './erasure-service.js';
import type { Keep } from './keep.js';
import { auditSection, type PersonDataDependencies } from './person-data.js';
import { RetentionService, type OldBackups } from './retention-service.js';

export interface PersonalOptions {
  /** How long days are kept. Default: for ever. */
  readonly keep?: Keep;
  /** How long guests are kept after their last day, at a centre or a place without one. Default: for ever. */
  readonly keepGuests?: Keep;
  /** Makes what knows where backups are kept, of the service of `record()`. Default: none are. */
  readonly backups?: (backup: BackupService) => BackupSearch & OldBackups;
  /** False: nobody is erased, so the storage need not know erasures. */
  readonly erasures?: false;
}

/** The services of {@link personal}. */
export interface PersonalServices {
  readonly retention: RetentionService;
  /** Absent without erasures. */
  readonly personal?: {
    readonly erasures: ErasureService;
    readonly retention: RetentionService;
    /** Stores from which the data of a person are read. */
    readonly person: PersonDataDependencies;
    readonly audit: AuditNotes;
  };
}

type PersonalStorage = Storage & Partial<RecordFacets & PersonalFacets & AccessFacets>;

/** What features before this one may have added. */
type Seen = Tallybook & { readonly backup?: BackupService };

/** Erasure of persons, what is stored about them, and removal of old days. */
export function personal({
  keep,
  keepGuests,
  backups: makeBackups,
  erasures: choice,
}: PersonalOptions = {}): Feature<PersonalServices> {
  return {
    name: 'personal',
    needs: choice === false ? [] : ['erasures'],
    requires: ['record'],
    after: ['access'],
    begin: ({ audit, storage }) => ({
      add: ({ attendance, calendar, timekeeper, storage: seen, backup }: Seen) => {
        const backups = backup && makeBackups?.(backup);
        const { provisional, corrections } = seen as PersonalStorage;
        const { days, erasures, audit: trail } = storage as PersonalStorage;
        const shared = { timekeeper, audit, attendance, ...(backups && { backups }) };
        const stores = { days, ...(provisional && { provisional }), ...(corrections && { corrections }) };
        const { people } = seen;
        const guests =
          keepGuests && people && erasures && choice !== false
            ? { keep: keepGuests, people, erasures, attendance }
            : undefined;
        const retention = new RetentionService(
          { ...shared, ...stores, calendar, ...(guests && { guests }) },
          keep,
        );
        if (choice === false || erasures === undefined) return { retention };
        backup?.limitGuests(() => retention.guestLimit());
        const service = new ErasureService({ ...shared, erasures, ...(people && { people }) });
        const sections = trail === undefined ? [] : [auditSection(trail)];
        return {
          retention,
          personal: {
            erasures: service,
            retention,
            person: { erasures, sections, ...(people && { people }) },
            audit,
          },
        };
      },
    }),
  };
}

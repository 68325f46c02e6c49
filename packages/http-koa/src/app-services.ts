import type {
  AttendanceService,
  AuditNotes,
  Calendar,
  MappingStore,
  PushSource,
  ReaderMonitor,
  Tallybook,
  Timekeeper,
} from '@tallybook/domain';
import type {
  BackupService,
  CorrectionService,
  HealthMonitor,
  PeopleDirectory,
  PeopleImport,
  RangeService,
  RecordServices,
  TagFinder,
  UnnamedTags,
} from '@tallybook/domain/record';
import type { AccessService, AuditTrail } from '@tallybook/domain/access';
import type { ErasureService, PersonDataDependencies, RetentionService } from '@tallybook/domain/personal';
import type { EventFeed } from './events/event-feed.js';
import type { MetricsSource } from './routes/service/routes-metrics.js';
import type { SettingsSource } from './routes/service/routes-settings.js';
import type { RestoreBackup } from './routes/service/routes-restore.js';
import type { StatusSource } from './routes/service/routes-status.js';
import type { SyncCentre } from './routes/sync/sync-centre.js';

/** Services for the data of persons. */
export interface PersonalData {
  readonly erasures: ErasureService;
  readonly retention: RetentionService;
  /** Stores from which the data of a person are read. */
  readonly person: PersonDataDependencies;
  readonly audit?: AuditNotes;
}

/** The services that the interface offers: a `Tallybook` of the domain, with whatever its features added. */
export interface AppServices extends Partial<Pick<Tallybook, 'attach' | 'storage' | 'report' | 'people'>> {
  readonly names: MappingStore;
  readonly attendance: AttendanceService;
  /** Gives the day of a timestamp in a query. It must be the calendar with which the attendance is recorded. */
  readonly calendar: Calendar;
  /** The timekeeper with which the attendance is recorded. */
  readonly timekeeper: Timekeeper;
  /** The service that corrects the attendance. Without one there are no `/api/corrections` and `/api/scans`. */
  readonly corrections?: CorrectionService;
  /** Without one there is no `/api/export`. */
  readonly backup?: BackupService;
  /** Without one there are no `/api/table`, `/api/csv` and `/api/xlsx`. */
  readonly ranges?: RangeService;
  /** Without it there are no `/api/erasures`, `/api/retention` and `/api/person/data`. */
  readonly personal?: PersonalData;
  /** The caller opens and closes it. Without one there is no `/api/readers`. */
  readonly readers?: ReaderMonitor;
  /** Readers whose readings come in requests. Without them there is no `/api/readers/NAME/readings`. */
  readonly pushSources?: readonly PushSource[];
  /** The caller opens and closes it. Without one there is no `/api/status`. */
  readonly statusSource?: StatusSource;
  /** Without one, or without `storage`, there is no `/api/restore`. */
  readonly restore?: RestoreBackup;
  /** Without one there are no `/api/settings` and `/api/restart`. */
  readonly settings?: SettingsSource;
  /** The caller opens and closes it. Without one there is no `/api/health`. */
  readonly health?: HealthMonitor;
  /** Without one there is no `/api/metrics`. */
  readonly metrics?: MetricsSource;
  /** The caller opens and closes it. Without one there are no `/api/sync` and `/api/stations`. */
  readonly centre?: SyncCentre;
  /** Without it and `people` there are no `/api/person`, `/api/tag`, `/api/groups`, and no list of persons. */
  readonly directory?: PeopleDirectory;
  /** Without one no list of persons is imported. */
  readonly imports?: PeopleImport;
  /** Without it and `directory` there is no `/api/guest`. */
  readonly guests?: RecordServices['guests'];
  /** The caller opens and closes it. Without one there is no `/api/unnamed`. */
  readonly unnamed?: UnnamedTags;
  /** Reads ids as the readers of the service write them. Without one ids are hex, and there is no `/api/id`. */
  readonly tags?: TagFinder;
  /** The caller opens and closes it. Default: one that is attached to the tallybook. */
  readonly events?: EventFeed;
  /** The caller opens and closes it. Without one everybody who reaches the service may do everything. */
  readonly access?: AccessService;
  /** Records who changed or exported what. Without one there is no `/api/audit`. */
  readonly audit?: Pick<AuditTrail, 'note' | 'page'>;
}

/** Services of an app that must be there, and others that are used if they are there. */
export type Services<Needed extends keyof AppServices, Used extends keyof AppServices = never> = {
  readonly [K in Needed]: NonNullable<AppServices[K]>;
} & { readonly [K in Used]?: AppServices[K] | undefined };

/** Whether an app has all of these services. */
export function has<K extends keyof AppServices>(
  services: AppServices,
  ...names: readonly K[]
): services is AppServices & Services<K> {
  return names.every((name) => services[name] !== undefined);
}

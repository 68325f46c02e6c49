import { TagFinder } from './names/tag-finder.js';
import type { Storage } from '../ports/storage.js';
import type { Pause } from './turns.js';
import type { Feature, FeatureBase, Tallybook } from '../tallybook.js';
import { DAY_MAX, toDay } from '../values/day.js';
import type { Digest } from '../values/ids/id-format.js';
import { TypedIds } from './names/typed-ids.js';
import { BackupService } from './backup/backup-service.js';
import { CorrectedDayStore } from './corrections/corrected-day-store.js';
import { CorrectedSnapshotSource } from './corrections/corrected-snapshot-source.js';
import { CorrectionService, type CorrectionOptions } from './corrections/correction-service.js';
import { backlogCheck, clockCheck, readersCheck, storeCheck } from './health/attendance-checks.js';
import type { HealthCheck } from './health/health.js';
import { HealthMonitor } from './health/health-monitor.js';
import { UnnamedTags } from './names/unnamed-tags.js';
import { PeopleImport } from './names/people-import.js';
import { GuestService } from './people/guest-service.js';
import { PeopleDirectory } from './people/people-directory.js';
import type { CorrectionStore, RecordFacets } from './ports/correction-store.js';
import type { PersonalFacets } from './ports/erasure-store.js';
import { RangeService, type RangeOptions } from './ranges/range-service.js';

export interface RecordOptions extends RangeOptions {
  /** False: there are none, so the storage need not have them. */
  readonly corrections?: CorrectionOptions | false;
  /** SHA-256 of a text, in hex. Without it people write ids in hex only. */
  readonly digest?: Digest;
  /** Lets other work run in a long search. */
  readonly pause?: Pause;
  /** False: the app has a health of its own. */
  readonly health?: boolean;
}

/** The services of {@link record}. */
export interface RecordServices {
  readonly backup: BackupService;
  readonly ranges: RangeService;
  readonly unnamed: UnnamedTags;
  /** If the storage knows no persons, it imports names of tags. */
  readonly imports: PeopleImport;
  /** Absent if the storage knows no persons. */
  readonly directory?: PeopleDirectory;
  readonly guests?: GuestService;
  readonly corrections?: CorrectionService;
  /** Reads ids as the readers write them. */
  readonly tags?: TagFinder;
  /** Opened after the readers: then the device is ready. */
  readonly health?: HealthMonitor;
}

type RecordStorage = Storage & Partial<RecordFacets & PersonalFacets>;

/** Corrections, backups, ranges of days, persons, tags without a holder, and health. */
export function record(options: RecordOptions = {}): Feature<RecordServices> {
  const hasCorrections = options.corrections !== false;
  return {
    name: 'record',
    needs: hasCorrections ? ['corrections'] : [],
    begin: (base) => {
      const { days, corrections } = base.storage as RecordStorage;
      // Not those of the services: where these wait for a centre, the changes of the centre must not wait.
      const corrected =
        hasCorrections && corrections ? new CorrectedDayStore({ days, corrections }) : undefined;
      return {
        ...(corrected && { days: corrected }),
        add: (tallybook) => servicesOf(tallybook, base, corrected, options),
      };
    },
  };
}

function servicesOf(
  tallybook: Tallybook,
  { audit }: FeatureBase,
  corrected: CorrectedDayStore | undefined,
  { corrections: choice, digest, pause, health: hasHealth = true, ...rangeOptions }: RecordOptions,
): RecordServices {
  const { calendar, timekeeper, days, clock } = tallybook;
  const storage = tallybook.storage as RecordStorage;
  const { mapping, people, snapshots, journal, provisional, erasures } = storage;
  const corrections = corrected && storage.corrections;
  const optional = {
    ...(erasures && { erasures }),
    ...(people && { people }),
    ...(corrections && { corrections }),
  };
  const health = hasHealth ? new HealthMonitor(checksOf(tallybook), clock) : undefined;
  if (health !== undefined) tallybook.attach('attendance', health);
  const backupParts = { snapshots, mapping, days: storage.days, timekeeper, ...optional };
  return {
    backup: new BackupService({ ...backupParts, ...(provisional && { provisional }) }),
    ranges: new RangeService(
      {
        snapshots: corrected ? new CorrectedSnapshotSource(snapshots) : snapshots,
        ...{ mapping, days, ...(people && { people }) },
      },
      rangeOptions,
    ),
    imports: new PeopleImport({
      ...{ snapshots, mapping, calendar, timekeeper, people: tallybook.people },
      pause: pause ?? (() => Promise.resolve()),
      ...(rangeOptions.maxTags !== undefined && { maxTags: rangeOptions.maxTags }),
    }),
    unnamed: new UnnamedTags({ days, mapping, calendar, timekeeper, journal, ...(people && { people }) }),
    ...(people && {
      directory: new PeopleDirectory({
        people,
        mapping,
        days,
        ...(corrections && { corrections }),
        calendar,
        timekeeper,
        pause: pause ?? (() => Promise.resolve()),
        ...(rangeOptions.maxTags !== undefined && { maxTags: rangeOptions.maxTags }),
      }),
    }),
    ...(people &&
      tallybook.people && {
        guests: new GuestService({
          ...{ people: tallybook.people, store: people, attendance: tallybook.attendance },
          ...{ timekeeper, calendar },
        }),
      }),
    ...(corrected &&
      corrections && {
        corrections: new CorrectionService(
          { days: corrected, ...{ corrections, calendar, timekeeper, audit }, ...(erasures && { erasures }) },
          choice === false ? {} : choice,
        ),
      }),
    ...(digest && { tags: tagsOf(tallybook, corrections, digest, pause) }),
    ...(health && { health }),
  };
}

function checksOf({ days, calendar, timekeeper, attendance, readers }: Tallybook): readonly HealthCheck[] {
  return [
    storeCheck({ days, calendar, timekeeper, attendance }),
    backlogCheck(attendance),
    readersCheck(readers),
    clockCheck(timekeeper),
  ];
}

function tagsOf(
  { sources, storage: { mapping, journal, people, provisional }, days }: Tallybook,
  corrections: CorrectionStore | undefined,
  digest: Digest,
  pause: Pause | undefined,
): TagFinder {
  const formats = sources.map(({ idFormat = {} }) => idFormat);
  return new TagFinder({
    ...{ typed: new TypedIds(formats, digest), mapping, days, journal },
    mentioned: async () => {
      const corrected = (await corrections?.list(toDay(0), DAY_MAX)) ?? [];
      return [...corrected, ...((await provisional?.list()) ?? [])].map(({ id }) => id);
    },
    ...(people && { people }),
    ...(pause && { pause }),
  });
}

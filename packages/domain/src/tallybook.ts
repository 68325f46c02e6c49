import type { AttendanceService } from './attendance/attendance-service.js';
import type { ReaderMonitor } from './attendance/reader-monitor.js';
import type { AuditNotes } from './ports/audit-notes.js';
import type { Device } from './device-group.js';
import type { Lifecycle } from './lifecycle.js';
import type { Clock } from './ports/clock.js';
import type { IdSource } from './ports/devices/id-source.js';
import type { Indicator } from './ports/devices/indicator.js';
import type { PushSource } from './ports/devices/push-source.js';
import type { MappingStore } from './ports/names/mapping-store.js';
import type { DayStore } from './ports/record/day-store.js';
import type { Storage } from './ports/storage.js';
import type { PeopleService } from './people/people-service.js';
import type { Report } from './report.js';
import type { Subscribable } from './subscribable.js';
import type { Calendar } from './time/calendar.js';
import type { Timekeeper } from './time/timekeeper.js';

/** What the parts of an app are made of. */
export interface Base {
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  readonly storage: Storage;
  readonly report: Report;
}

/** A part, or a function that makes it of others. */
export type Part<T extends object, From = Base> = T | ((from: From) => T);

/** A light, a buzzer, a publisher: an {@link Indicator} shows every tap, and a device is opened and closed. */
export type Output = Indicator | (Device & { readonly faults?: Subscribable<unknown> });

/** When a part is opened, after storage and clock. */
export type Phase = 'services' | 'listeners' | 'outputs' | 'attendance';

/** Everything that records attendance, opened and closed together. */
export interface Tallybook extends Lifecycle, Base {
  /** What is off because of the storage, and why, as a sentence for a log; `undefined` if nothing is. */
  readonly lacking: string | undefined;
  /** The days as everybody reads them. */
  readonly days: DayStore;
  /** The names of tags. `parseName` reads those of people before they are put. */
  readonly names: MappingStore;
  /** Persons and their tags; absent if the storage knows none. */
  readonly people?: PeopleService;
  readonly attendance: AttendanceService;
  /** The state of each reader. */
  readonly readers: ReaderMonitor;
  readonly sources: readonly IdSource[];
  /** The readers whose readings come in requests. */
  readonly pushSources: readonly (IdSource & PushSource)[];
  /**
   * Adds a part that is opened and closed with the others, as the last one of its phase.
   *
   * @throws {TypeError} While the tallybook is not closed, because the part would not be opened.
   */
  readonly attach: (phase: Phase, part: Lifecycle) => void;
}

/** What a feature is made of. */
export interface FeatureBase extends Base {
  /** Notes actions in the audit trail, if a feature keeps one. */
  readonly audit: AuditNotes;
}

/** What a feature brings. */
export interface FeatureParts<Services extends object = object> {
  /** The storage as services use it, in place of the one that is opened. */
  readonly storage?: Storage;
  /** The days as everybody reads them, in place of the recorded ones. */
  readonly days?: DayStore;
  /** Takes the notes of all features. */
  readonly audit?: AuditNotes;
  /** Makes the services of the feature, which become properties of the tallybook, and attaches what must be opened. */
  readonly add?: (tallybook: Tallybook) => Services;
}

/** Services that are added to a tallybook: `createTallybook({ with: [record()] })`. */
export interface Feature<Services extends object = object> {
  readonly name: string;
  /** Facets that the storage must have. */
  readonly needs: readonly string[];
  /** Names of features that must come before this one. Default: none. */
  readonly requires?: readonly string[];
  /** Names of features that come before this one, if they are there. Default: none. */
  readonly after?: readonly string[];
  /** Called once, if the storage has all that is needed. It does no I/O and starts no timer. */
  begin(base: FeatureBase): FeatureParts<Services>;
}

/** The services that features add. */
export type Added<Features extends readonly Feature[]> = Features extends readonly [
  Feature<infer First>,
  ...infer Rest extends readonly Feature[],
]
  ? First & Added<Rest>
  : unknown;

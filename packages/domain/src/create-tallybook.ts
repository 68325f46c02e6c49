import { AttendanceService, type AttendanceOptions } from './attendance/attendance-service.js';
import { ReaderMonitor } from './attendance/reader-monitor.js';
import type { AuditNotes } from './ports/audit-notes.js';
import { DeviceGroup, type Device } from './device-group.js';
import { kindOf, quote, TallybookError } from './errors.js';
import { ManagedResource, openAll, type Lifecycle, type OpenResources } from './lifecycle.js';
import type { MappingStore } from './ports/names/mapping-store.js';
import type { Clock } from './ports/clock.js';
import type { IdSource } from './ports/devices/id-source.js';
import type { PushSource } from './ports/devices/push-source.js';
import type { DayStore } from './ports/record/day-store.js';
import type { Storage } from './ports/storage.js';
import { PeopleMapping } from './people/people-mapping.js';
import { PeopleService } from './people/people-service.js';
import { reportToConsole, type Report } from './report.js';
import type { Subscribable, Subscription } from './subscribable.js';
import type { Added, Base, Feature, FeatureParts, Output, Part, Phase, Tallybook } from './tallybook.js';
import { Calendar, type CalendarOptions } from './time/calendar.js';
import { Timekeeper } from './time/timekeeper.js';

export interface TallybookOptions {
  readonly storage: Part<Storage, Omit<Base, 'storage'>>;
  /** Opened and closed too, if it has a lifecycle. */
  readonly clock: Clock;
  readonly calendar: Calendar | CalendarOptions;
  /** Release of the app, in seconds since 1970: a clock that shows an earlier time is not trusted. Default 0. */
  readonly builtAt?: number;
  /** Default: one that knows the clock and `builtAt`. */
  readonly timekeeper?: Timekeeper;
  /** Each has a name of its own. */
  readonly readers?: readonly Part<IdSource>[];
  readonly outputs?: readonly Part<Output, Base & { readonly attendance: AttendanceService }>[];
  readonly attendance?: AttendanceOptions;
  /** Called with each fault. Default: writes one line to standard error. */
  readonly report?: Report;
}

/**
 * Makes everything that records attendance, of the parts that an app chooses. Open it, and it records.
 *
 * ```
 * storage -> clock -> services -> listeners -> outputs -> attendance, readers
 * ```
 *
 * It opens in this order and closes in the reverse one. If a part cannot be opened, the open ones are closed again. A reader or
 * an output whose package or program is missing is reported and left out, but `open()` rejects if no reader can be opened.
 *
 * It also rejects with `INVALID_OPTION`, and names all of them, if stores of the storage are missing, if a feature needs facets
 * that the storage lacks, or another feature, if features are in the wrong order or twice, or if two readers have one name.
 *
 * @param options `with`: features of the other entrances, such as `record()`. Each may use those before it.
 * @throws {TallybookError} `INVALID_OPTION` if `storage`, `clock` or `calendar` is missing, an element of `with` is not a feature,
 * or an option is out of range.
 */
export function createTallybook<const Features extends readonly Feature[] = []>(
  options: TallybookOptions & { readonly with?: Features },
): Tallybook & Added<Features> {
  // An app without types may leave out anything.
  const given = options as Partial<TallybookOptions> | undefined;
  const missing = (['storage', 'clock', 'calendar'] as const).filter((part) => given?.[part] === undefined);
  if (missing.length > 0)
    throw new TallybookError('INVALID_OPTION', `createTallybook needs ${missing.join(', ')}`);
  const { with: features = [] } = options;
  const other: unknown = features.find((each) => typeof (each as Partial<Feature>).begin !== 'function');
  if (other !== undefined)
    throw new TallybookError('INVALID_OPTION', `with has features, such as record(); got ${kindOf(other)}`);
  return new Assembly(options, features) as Tallybook as Tallybook & Added<Features>;
}

/** Time in milliseconds for which the scans of another server are left to it: a time server answers sooner. */
const LEAVE_PROVISIONAL_MS = 900_000;

class Assembly extends ManagedResource implements Tallybook {
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  readonly storage: Storage;
  readonly lacking: string | undefined;
  readonly report: Report;
  readonly days: DayStore;
  readonly names: MappingStore;
  declare readonly people?: PeopleService;
  readonly attendance: AttendanceService;
  readonly readers: ReaderMonitor;
  readonly sources: readonly IdSource[];
  readonly pushSources: readonly (IdSource & PushSource)[];
  readonly #opensFirst: readonly Lifecycle[];
  readonly #outputs: readonly Output[];
  readonly #attached: Readonly<Record<Phase, Lifecycle[]>>;
  readonly #problems: readonly string[];
  #subscriptions: readonly Subscription[] = [];
  #opened: OpenResources | undefined;

  constructor(options: TallybookOptions, features: readonly Feature[]) {
    super();
    const { clock, calendar, builtAt = 0, readers = [], outputs = [] } = options;
    this.clock = clock;
    this.calendar = 'dayOf' in calendar ? calendar : new Calendar(calendar);
    this.timekeeper = options.timekeeper ?? new Timekeeper(clock, { builtAt });
    this.report = options.report ?? reportToConsole(clock);
    const early = { clock, calendar: this.calendar, timekeeper: this.timekeeper, report: this.report };
    const opened = make(options.storage, early);
    opened.reportTo?.((error) => this.report({ part: 'storage', error }));
    const base: Base = { ...early, storage: opened };
    this.#opensFirst = [opened, ...('open' in clock ? [clock as Clock & Lifecycle] : [])];
    this.sources = readers.map((reader) => make(reader, base));
    this.pushSources = this.sources.filter((source) => 'push' in source) as (IdSource & PushSource)[];
    this.lacking = describeLacking(opened);
    this.#problems = listProblems(opened, features, this.sources);

    const audit: AuditNotes = { note: async (...note) => await brought.audit?.note(...note) };
    const begun = this.#problems.length > 0 ? [] : features.map((each) => each.begin({ ...base, audit }));
    const brought = Object.assign({}, ...begun) as FeatureParts;
    this.storage = brought.storage ?? opened;

    this.days = brought.days ?? this.storage.days;
    this.attendance = createAttendance(this, options.attendance);
    const { mapping, people } = this.storage;
    if (people !== undefined)
      this.people = new PeopleService({ people, timekeeper: this.timekeeper, calendar: this.calendar });
    this.names = this.people === undefined ? mapping : new PeopleMapping(mapping, this.people);
    this.readers = new ReaderMonitor(this.timekeeper, this.sources);
    this.#outputs = outputs.map((output) => make(output, { ...base, attendance: this.attendance }));
    for (const output of this.#outputs) {
      if ('show' in output) this.attendance.indications.subscribe((indication) => output.show(indication));
    }
    this.#attached = { services: [this.readers], listeners: [], outputs: [], attendance: [] };
    for (const { add } of begun) Object.assign(this, add?.(this));
  }

  readonly attach = (phase: Phase, part: Lifecycle): void => {
    if (this.status !== 'closed')
      throw new TypeError(`attach parts before the tallybook opens; it is ${this.status}`);
    this.#attached[phase].push(part);
  };

  protected override async onOpen(): Promise<void> {
    if (this.#problems.length > 0) throw new TallybookError('INVALID_OPTION', this.#problems.join('; '));
    const { services, listeners, outputs, attendance } = this.#attached;
    const devices = this.#outputs.filter((output) => 'open' in output);
    // Before anything is open, so that no reading and no fault is missed.
    this.#subscriptions = this.#subscribe(devices);
    try {
      this.#opened = await openAll([
        ...this.#opensFirst,
        ...services,
        ...listeners,
        this.#group('output', devices),
        ...outputs,
        this.attendance,
        this.#group('reader', this.sources),
        ...attendance,
      ]);
    } catch (error) {
      this.#unsubscribe();
      throw this.#firstOf(error);
    }
  }

  protected override async onClose(): Promise<void> {
    try {
      await this.#opened?.close();
    } finally {
      this.#unsubscribe();
    }
  }

  #group(part: 'reader' | 'output', devices: readonly Device[]): DeviceGroup {
    return new DeviceGroup({
      devices,
      needsOne: part === 'reader',
      onMissing: ({ name }, error) => {
        this.report({ part, device: name, isMissing: true, error });
        if (part === 'reader') this.readers.note({ reader: name, error });
      },
    });
  }

  #subscribe(
    devices: readonly (Device & { readonly faults?: Subscribable<unknown> })[],
  ): readonly Subscription[] {
    const { attendance, report } = this;
    return [
      ...this.sources.flatMap((source) => [
        attendance.listen(source),
        source.faults.subscribe(({ error }) => report({ part: 'reader', device: source.name, error })),
      ]),
      ...devices.flatMap(({ name, faults }) =>
        faults === undefined
          ? []
          : [faults.subscribe((error) => report({ part: 'output', device: name, error }))],
      ),
      attendance.events.subscribe((event) => {
        if ('error' in event) report({ part: 'attendance', error: event.error });
      }),
    ];
  }

  #unsubscribe(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions = [];
    this.#opened = undefined;
  }

  /** The first error of a failed opening. The others, from closing parts again, are reported. */
  #firstOf(error: unknown): unknown {
    if (!(error instanceof AggregateError && error.cause !== undefined)) return error;
    for (const other of error.errors)
      if (other !== error.cause) this.report({ part: 'closing', error: other });
    return error.cause;
  }
}

function make<T extends object, From>(part: Part<T, From>, from: From): T {
  return typeof part === 'function' ? part(from) : part;
}

function createAttendance(
  { calendar, timekeeper, storage, days }: Tallybook,
  options: AttendanceOptions | undefined,
): AttendanceService {
  const { mapping, people, provisional, erasures, journal } = storage;
  const { isShared = false, isJournalVolatile = false } = storage;
  return new AttendanceService(
    {
      ...{ days, mapping, calendar, timekeeper },
      ...(people && { people }),
      ...(provisional && { provisional }),
      ...(erasures && { erasures }),
      ...(isShared && { journal }),
      // Without positions, every recorded scan counts as an own one.
      ...(!isJournalVolatile && { tapTimes: journal }),
    },
    { ...(isShared && { leaveProvisionalMs: LEAVE_PROVISIONAL_MS }), ...options },
  );
}

/** What is off without each facet. */
const usesOf: Readonly<Record<string, readonly string[]>> = {
  corrections: ['corrections', 'stations'],
  erasures: ['erasures and the data of a person', 'stations'],
  provisional: ['stations', 'scans without a trusted time'],
  stampedNames: ['stations'],
  stations: ['stations'],
  receipts: ['counting readings once that a device sends again'],
};

function describeLacking(storage: Storage): string | undefined {
  const facets = lackingOf(storage, Object.keys(usesOf));
  const off = new Set(facets.flatMap((facet) => usesOf[facet] ?? []));
  const said = [
    ...(off.size === 0 ? [] : [`off, as the storage has no ${facets.join(', ')}: ${[...off].join(', ')}`]),
    ...(storage.isJournalVolatile === true
      ? [
          'the journal begins anew at each start, so webhooks may miss what happened while the service was off',
        ]
      : []),
  ];
  return said.length === 0 ? undefined : said.join('; ');
}

function lackingOf(storage: Storage, facets: readonly string[]): readonly string[] {
  return facets.filter((facet) => (storage as object as Record<string, unknown>)[facet] === undefined);
}

function listProblems(
  storage: Storage,
  features: readonly Feature[],
  sources: readonly IdSource[],
): readonly string[] {
  const lacking = (facets: readonly string[]): string => lackingOf(storage, facets).join(', ');
  const lacks = lacking(['mapping', 'days', 'journal', 'snapshots']);
  const names = sources.map(({ name }) => name);
  const twins = names.filter((name, index) => names.indexOf(name) < index);
  return [
    ...(lacks === '' ? [] : [`the storage lacks ${lacks}`]),
    ...features.flatMap(({ name, needs }) =>
      lacking(needs) === '' ? [] : [`${name}() needs ${lacking(needs)}, which the storage lacks`],
    ),
    ...listDisorder(features),
    ...twins.map((name) => `two readers have the name ${quote(name)}`),
  ];
}

function listDisorder(features: readonly Feature[]): readonly string[] {
  const order = features.map(({ name }) => name);
  return features.flatMap(({ name, requires = [], after = [] }, index) => [
    ...requires
      .filter((other) => !order.slice(0, index).includes(other))
      .map((other) => `${name}() needs ${other}() before it`),
    ...after
      .filter((other) => order.indexOf(other) > index)
      .map((other) => `${name}() must come after ${other}()`),
    ...(order.indexOf(name) < index ? [`${name}() is there twice`] : []),
  ]);
}

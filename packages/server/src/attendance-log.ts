import {
  ManagedResource,
  type AttendanceService,
  type Clock,
  type IdSource,
  type ReaderFault,
  type Subscription,
} from '@tallybook/domain';
import type { Log } from './log.js';

/** Faults of one kind at one reader that are logged in full in each minute; the others are counted. */
const FAULTS_PER_MINUTE = 5;
const MINUTE_MS = 60_000;

/** Writes to the log what becomes of readings and how the readers fare. */
export class AttendanceLog extends ManagedResource {
  readonly #log: Log;
  readonly #attendance: AttendanceService;
  readonly #sources: readonly IdSource[];
  readonly #clock: Clock;
  readonly #faults = new Map<string, { since: number; count: number }>();
  #subscriptions: readonly Subscription[] = [];

  constructor(log: Log, attendance: AttendanceService, sources: readonly IdSource[], clock: Clock) {
    super();
    this.#log = log;
    this.#attendance = attendance;
    this.#sources = sources;
    this.#clock = clock;
  }

  protected override async onOpen(): Promise<void> {
    this.#subscriptions = [
      this.#watchAttendance(),
      ...this.#sources.flatMap((source) => this.#watchReader(source)),
    ];
  }

  protected override async onClose(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions = [];
  }

  #watchAttendance(): Subscription {
    return this.#attendance.events.subscribe((event) => {
      switch (event.kind) {
        case 'attendance': {
          const { reader, day, id } = event.scan;
          this.#log.info(
            { reader, day, outcome: event.outcome, isNamed: event.name !== undefined },
            'scan recorded',
          );
          this.#log.debug({ reader, id }, 'id of the recorded scan');
          break;
        }
        case 'failed':
          this.#log.error(
            { ...event.scan, err: event.error },
            'scan could not be recorded; the tag has to be tapped again',
          );
          break;
        case 'name-unavailable':
          this.#log.warn(
            { reader: event.scan.reader, err: event.error },
            'the name of a tag could not be read',
          );
          break;
        case 'repeated':
          this.#log.trace({ reader: event.reading.reader, id: event.reading.id }, 'tag still on the reader');
          break;
        case 'scan':
          break;
      }
    });
  }

  #watchReader(source: IdSource): Subscription[] {
    const reader = source.name;
    return [
      source.connections.subscribe((connection) => {
        if (connection === 'connected') this.#log.info({ reader }, 'reader connected');
      }),
      source.faults.subscribe((fault) => {
        this.#logFault(fault);
      }),
    ];
  }

  #logFault({ reader, error }: ReaderFault): void {
    const key = `${reader} ${error.code}`;
    const now = this.#clock.monotonicMs();
    let seen = this.#faults.get(key);
    if (seen === undefined || now - seen.since >= MINUTE_MS) {
      const unlogged = seen === undefined ? 0 : Math.max(seen.count - FAULTS_PER_MINUTE, 0);
      if (unlogged > 0)
        this.#log.warn({ reader, code: error.code, count: unlogged }, 'more reader faults of this kind');
      seen = { since: now, count: 0 };
      this.#faults.set(key, seen);
    }
    seen.count++;
    if (seen.count <= FAULTS_PER_MINUTE) this.#log.warn({ reader, code: error.code }, error.message);
    if (seen.count === FAULTS_PER_MINUTE) {
      this.#log.warn(
        { reader, code: error.code },
        'many faults of this kind; counting the rest of this minute. Check wiring and settings',
      );
    }
  }
}

import {
  ManagedResource,
  type AttendanceService,
  type Clock,
  type IdSource,
  type ReaderFault,
  type Subscription,
} from '@tallybook/domain';
import type { Log } from './log.js';
import { LogQuota } from './log-quota.js';

/** Writes to the log what becomes of readings and how the readers fare. */
export class AttendanceLog extends ManagedResource {
  readonly #log: Log;
  readonly #attendance: AttendanceService;
  readonly #sources: readonly IdSource[];
  readonly #quota: LogQuota;
  #subscriptions: readonly Subscription[] = [];

  constructor(log: Log, attendance: AttendanceService, sources: readonly IdSource[], clock: Clock) {
    super();
    this.#log = log;
    this.#attendance = attendance;
    this.#sources = sources;
    this.#quota = new LogQuota(clock);
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
        case 'failed': {
          const { scan, error: err } = event;
          this.#warn(
            `failed ${scan.reader} ${scan.id}`,
            'error',
            { ...scan, err },
            'scan could not be recorded; the tag has to be tapped again',
          );
          break;
        }
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
    this.#warn(`fault ${reader} ${error.code}`, 'warn', { reader, code: error.code }, error.message);
  }

  /** Logs what may come many times a second: in full as long as the quota of its kind lasts, then counted. */
  #warn(kind: string, level: 'warn' | 'error', fields: object, message: string): void {
    const { isWithin, isLast, omitted } = this.#quota.take(kind);
    if (omitted > 0) this.#log[level]({ ...fields, count: omitted }, 'was not logged any more, so often');
    if (isWithin) this.#log[level](fields, message);
    if (isLast) this.#log[level](fields, 'comes often; the rest of this minute is only counted');
  }
}

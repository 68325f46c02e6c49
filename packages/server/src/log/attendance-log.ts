import {
  ManagedResource,
  type AttendanceService,
  type Clock,
  type IdSource,
  type ReaderFault,
  type Subscription,
} from '@tallybook/domain';
import { BacklogLog } from './backlog-log.js';
import type { Log } from './log.js';
import { LogQuota, MeteredLog } from './metered-log.js';

/** Lines about taps per minute: more than people make at a door, and a megabyte in an hour. */
export const TAP_LINES_PER_MINUTE = 120;

/** Logs the outcome of readings, and the state of each reader. */
export class AttendanceLog extends ManagedResource {
  readonly #log: Log;
  readonly #attendance: AttendanceService;
  readonly #sources: readonly IdSource[];
  readonly #metered: MeteredLog;
  readonly #taps: MeteredLog;
  readonly #reasons: LogQuota;
  readonly #backlog: BacklogLog;
  #subscriptions: readonly Subscription[] = [];

  constructor(log: Log, attendance: AttendanceService, sources: readonly IdSource[], clock: Clock) {
    super();
    this.#log = log;
    this.#attendance = attendance;
    this.#sources = sources;
    this.#metered = new MeteredLog(log, clock);
    this.#taps = new MeteredLog(log, clock, TAP_LINES_PER_MINUTE);
    this.#reasons = new LogQuota(clock);
    this.#backlog = new BacklogLog(log, this.#metered, attendance);
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
    this.#backlog.end();
  }

  #watchAttendance(): Subscription {
    return this.#attendance.events.subscribe((event) => {
      this.#backlog.take(event);
      switch (event.kind) {
        case 'attendance': {
          const { reader, day, id } = event.scan;
          const { sequence, estimate } = event.filed ?? {};
          this.#taps.write(
            'recorded',
            'info',
            { reader, day, outcome: event.outcome, isNamed: event.name !== undefined, sequence },
            'scan recorded',
          );
          if (estimate !== undefined) {
            this.#metered.write(
              'estimate',
              'warn',
              { reader, day, sequence, ...estimate },
              'scan filed under an estimated time between earliest and latest',
            );
          }
          this.#log.debug({ reader, id }, 'id of the recorded scan');
          break;
        }
        case 'failed': {
          const { scan, error, isKept } = event;
          this.#metered.write(
            `failed ${scan.reader} ${scan.id}`,
            'error',
            { ...scan, ...this.#reasonOf(error) },
            isKept
              ? 'scan not recorded; it is kept in memory until the store can write'
              : 'scan not recorded; the tag has to be tapped again, unless its reader sends the scan again',
          );
          break;
        }
        case 'name-unavailable':
          this.#metered.write(
            'name-unavailable',
            'warn',
            { reader: event.scan.reader, err: event.error },
            'could not read the name of a tag',
          );
          break;
        case 'provisional': {
          const { scan, sequence } = event;
          this.#taps.write(
            'provisional',
            'info',
            { reader: scan.reader, sequence },
            'provisional scan stored until the clock is right',
          );
          break;
        }
        case 'trouble':
          this.#metered.write(
            'trouble',
            'error',
            { err: event.error },
            'could not read or file provisional scans',
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

  /**
   * The whole error while it is within the quota, then only its message, so that errors of a full store do not fill the
   * disk of the log.
   */
  #reasonOf(error: unknown): object {
    const reason = String(error);
    // A full backlog refuses a scan without a new attempt to write, so there is no error.
    if (error === undefined) return {};
    return this.#reasons.take('failed').isWithin ? { err: error } : { reason };
  }

  #watchReader(source: IdSource): Subscription[] {
    const { name: reader, caution } = source;
    if (caution !== undefined) this.#log.warn({ reader }, caution);
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
    this.#metered.write(`fault ${reader} ${error.code}`, 'warn', { reader, code: error.code }, error.message);
  }
}

import type { AttendanceEvent, AttendanceService, Scan } from '@tallybook/domain';
import type { Log } from './log.js';
import type { MeteredLog } from './metered-log.js';

/** Number of lost scans in one line of the log. */
const LISTED_TOGETHER = 100;

/** Logs the beginning of a backlog, that it is full, and that it is written. */
export class BacklogLog {
  readonly #all: Log;
  readonly #log: MeteredLog;
  readonly #attendance: AttendanceService;
  /** The scans of the backlog. */
  readonly #kept = new Set<Scan>();
  #written = 0;
  #refused = 0;

  constructor(all: Log, log: MeteredLog, attendance: AttendanceService) {
    this.#all = all;
    this.#log = log;
    this.#attendance = attendance;
  }

  take(event: AttendanceEvent): void {
    if (event.kind === 'failed') {
      if (event.isKept) this.#keep(event.scan);
      else this.#lose(event.scan);
    } else if (event.kind === 'attendance' || event.kind === 'provisional') {
      this.#noteWritten(event.scan);
    }
  }

  /** Lists the remaining scans, so that somebody can enter them later: nothing will write them any more. */
  end(): void {
    const { unwritten } = this.#attendance;
    for (let start = 0; start < unwritten.length; start += LISTED_TOGETHER) {
      const scans = unwritten.slice(start, start + LISTED_TOGETHER);
      this.#all.error(
        { lost: unwritten.length, scans },
        'scans in memory are lost: the service stopped before the store could write',
      );
    }
    this.#kept.clear();
  }

  #keep(scan: Scan): void {
    if (this.#kept.size === 0) {
      this.#written = 0;
      this.#refused = 0;
      const { limit } = this.#attendance.backlog;
      const message = 'the store cannot write; scans are kept in memory until it can';
      this.#log.write('backlog begins', 'error', { limit }, message);
    }
    this.#kept.add(scan);
  }

  #noteWritten(scan: Scan): void {
    if (!this.#kept.delete(scan)) return;
    this.#written++;
    if (this.#kept.size > 0) return;
    const refused = this.#refused;
    const fields = { written: this.#written, refused };
    this.#log.write('backlog empty', refused > 0 ? 'warn' : 'info', fields, 'the store can write again');
  }

  /** The service counts the scans that its backlog refused. */
  #lose(scan: Scan): void {
    this.#kept.delete(scan);
    const { refused, limit } = this.#attendance.backlog;
    if (this.#kept.size === 0 || refused <= this.#refused) return;
    if (this.#refused === 0) {
      const message = 'the backlog is full; further scans are lost until the store can write';
      this.#log.write('backlog full', 'error', { limit }, message);
    }
    this.#refused = refused;
  }
}

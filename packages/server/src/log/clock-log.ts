import {
  DATE_MAX,
  ManagedResource,
  type ClockDoubt,
  type ClockTrust,
  type Subscription,
  type Timekeeper,
  type Timestamp,
} from '@tallybook/domain';
import type { Log } from './log.js';
import { MeteredLog } from './metered-log.js';

/** Milliseconds between two checks of the clock. */
const LOOK_MS = 1_000;

const doubts: Readonly<Record<ClockDoubt, string>> = {
  'before-build': 'it is earlier than the release of this program',
  'not-synchronised': 'the system is not synchronised with a time server',
  'before-last-scan': 'it is earlier than a recorded scan',
};

const remedies: Readonly<Record<ClockDoubt, string>> = {
  'before-build': 'let the device reach a time server, or POST the time to /api/time',
  'not-synchronised':
    'let the device reach a time server, POST the time to /api/time, or, if it has a battery clock, start with --clock trusted',
  'before-last-scan':
    'set the clock of the device, or POST the time to /api/time; if that scan is wrong, DELETE its day at /api/day?timestamp=…',
};

const bases = {
  synchronised: 'the system follows a time server',
  set: 'somebody has set the time of this service',
  assumed: 'it is not in doubt any more',
} as const;

/** Logs an untrusted clock at the start of the service, each later change of trust, and each setting of the time. */
export class ClockLog extends ManagedResource {
  readonly #log: MeteredLog;
  readonly #timekeeper: Timekeeper;
  #told: string | undefined;
  #toldSuspect: Timestamp | undefined;
  #look: Subscription | undefined;

  constructor(log: Log, timekeeper: Timekeeper) {
    super();
    this.#log = new MeteredLog(log, timekeeper.clock);
    this.#timekeeper = timekeeper;
  }

  /** Logs that somebody has set the time of this service. */
  noteSetting(before: Timestamp, after: Timestamp): void {
    const fields = { before: readable(before), after: readable(after) };
    this.#log.write('setting', 'info', fields, 'somebody has set the time of this service');
  }

  protected override async onOpen(): Promise<void> {
    const trust = this.#timekeeper.trust();
    if (trust.isTrusted) this.#told = trust.basis;
    this.#toldSuspect = undefined;
    this.#tell(trust);
  }

  protected override async onClose(): Promise<void> {
    this.#look?.unsubscribe();
    this.#told = undefined;
  }

  #tellSuspect(): void {
    const { suspectScan } = this.#timekeeper;
    if (suspectScan === this.#toldSuspect) return;
    this.#toldSuspect = suspectScan;
    if (suspectScan === undefined) return;
    const message = `a recorded scan is more than a year later than all others and is ignored by the clock; if its day is wrong, DELETE it at /api/day?timestamp=${suspectScan}`;
    this.#log.write('suspect', 'warn', { suspectScan: readable(suspectScan) }, message);
  }

  #tell(trust: ClockTrust): void {
    this.#tellSuspect();
    const reason = trust.isTrusted ? trust.basis : trust.doubt;
    if (reason !== this.#told) {
      this.#told = reason;
      if (trust.isTrusted) {
        this.#log.write(
          reason,
          'info',
          { basis: trust.basis },
          `the clock is trusted: ${bases[trust.basis]}`,
        );
      } else {
        const shown = readable(this.#timekeeper.now());
        const latestScan = readable(this.#timekeeper.latestScan);
        const message = `the clock is not trusted: ${doubts[trust.doubt]}. Scans are provisional until it is right. What to do: ${remedies[trust.doubt]}`;
        this.#log.write(
          reason,
          'warn',
          { doubt: trust.doubt, shown, ...(trust.doubt === 'before-last-scan' ? { latestScan } : {}) },
          message,
        );
      }
    }
    const look = (): void => this.#tell(this.#timekeeper.trust());
    this.#look = this.#timekeeper.clock.schedule(LOOK_MS, look, { holdsProgram: false });
  }
}

function readable(at: Timestamp): string {
  return at > DATE_MAX ? `${at} s` : new Date(at * 1000).toISOString();
}

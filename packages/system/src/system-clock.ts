import {
  ManagedResource,
  quote,
  TallybookError,
  toTimestamp,
  type AppointmentOptions,
  type Clock,
  type Subscription,
  type Timestamp,
} from '@tallybook/domain';
import { askTimedatectl, type TimeStatus } from './ask-timedatectl.js';
import { readBootId } from './boot-id.js';

export interface SystemClockOptions {
  /**
   * Whether the system's clock is always trusted, as on a device with a battery clock and no network. If so, it counts
   * as synchronised without asking systemd. Default false.
   */
  readonly isTrusted?: boolean;
  /** Program to ask whether the system follows a time server. Default: `timedatectl` on the `PATH`. */
  readonly timedatectl?: string;
  /** Milliseconds between two questions while the system waits for a time server, 1..3600000, default 10000. */
  readonly retryMs?: number;
  /** Milliseconds between two questions otherwise, 1..3600000, default 300000. */
  readonly recheckMs?: number;
  /** Maximum number of milliseconds to wait for an answer, 1..60000, default 5000. */
  readonly timeoutMs?: number;
}

/** Largest value and default of each option. */
const limits = {
  retryMs: [3_600_000, 10_000],
  recheckMs: [3_600_000, 300_000],
  timeoutMs: [60_000, 5_000],
} as const;

/** Milliseconds after the start of the system within which a time service may still be started. */
const STARTING_MS = 120_000;
/** A jump of more milliseconds than this, leap seconds included, means that somebody has set the clock. */
const STEP_MS = 2_000;

/**
 * The clock of the operating system. A time before 1970 reads as 1970.
 *
 * The time is always available, even while the clock is closed. While it is open, it asks systemd whether the system
 * follows a time server; `open()` resolves after the first answer. Without systemd, the answer is unknown.
 *
 * A clock that was synchronised still counts as synchronised without the server, until somebody sets it. systemd itself
 * would say no after nine hours without a server.
 */
export class SystemClock extends ManagedResource implements Clock {
  readonly #isTrusted: boolean;
  readonly #timedatectl: string;
  readonly #retryMs: number;
  readonly #recheckMs: number;
  readonly #timeoutMs: number;
  #bootId: string | undefined;
  #isSynchronised: boolean | undefined;
  /** How far the time of day was ahead of the monotonic clock when it last followed a time server, in milliseconds. */
  #leadMs: number | undefined;
  #asking: Promise<void> | undefined;
  #nextAsking: NodeJS.Timeout | undefined;
  #stop = new AbortController();

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(options: SystemClockOptions = {}) {
    super();
    this.#isTrusted = options.isTrusted ?? false;
    this.#timedatectl = options.timedatectl ?? 'timedatectl';
    this.#retryMs = within('retryMs', options);
    this.#recheckMs = within('recheckMs', options);
    this.#timeoutMs = within('timeoutMs', options);
  }

  now(): Timestamp {
    return toTimestamp(Math.max(Math.floor(Date.now() / 1000), 0));
  }

  /** On Linux the time since the start of the system, without the time of sleep; the same for all processes. */
  monotonicMs(): number {
    return Number(process.hrtime.bigint()) / 1e6;
  }

  get bootId(): string {
    return (this.#bootId ??= readBootId());
  }

  isSynchronised(): boolean | undefined {
    return this.#isTrusted ? true : this.#isSynchronised;
  }

  schedule(
    delayMs: number,
    work: () => void,
    { holdsProgram = true }: AppointmentOptions = {},
  ): Subscription {
    const timer = setTimeout(work, delayMs);
    if (!holdsProgram) timer.unref();
    return { unsubscribe: () => clearTimeout(timer) };
  }

  protected override async onOpen(): Promise<void> {
    if (this.#isTrusted) return;
    this.#stop = new AbortController();
    await this.#ask(this.#stop.signal);
  }

  protected override async onClose(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#nextAsking);
    await this.#asking;
    this.#isSynchronised = undefined;
    this.#leadMs = undefined;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const status = await askTimedatectl(this.#timedatectl, this.#timeoutMs, signal);
    if (signal.aborted) return;
    this.#isSynchronised = this.#judge(status);
    const delayMs = this.#isSynchronised === false ? this.#retryMs : this.#recheckMs;
    // This timer alone must not keep the program running.
    this.#nextAsking = setTimeout(() => (this.#asking = this.#ask(signal)), delayMs).unref();
  }

  #judge(status: TimeStatus): boolean | undefined {
    const leadMs = Date.now() - this.monotonicMs();
    if (status === 'synchronised') {
      this.#leadMs = leadMs;
      return true;
    }
    if (this.#leadMs !== undefined && Math.abs(leadMs - this.#leadMs) <= STEP_MS) return true;
    this.#leadMs = undefined;
    if (status === 'waiting') return false;
    return status === 'switched-off' && this.monotonicMs() < STARTING_MS ? false : undefined;
  }
}

function within(name: keyof typeof limits, options: SystemClockOptions): number {
  const [most, fallback] = limits[name];
  const value = options[name] ?? fallback;
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new TallybookError('INVALID_OPTION', `${name} is 1 to ${most}; got ${quote(value)}`);
}

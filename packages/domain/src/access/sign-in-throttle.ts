import { TallybookError } from '../errors.js';

/** An attempt to sign in: the name, and the address. */
export interface Attempt {
  /** The name, whether there is such a user or not. */
  readonly account: string;
  /** The network address that it comes from. */
  readonly address: string;
  /**
   * Key of a browser from which the account has signed in with the password before, or of a passkey that is known here; absent
   * for anybody else.
   */
  readonly browser?: string | undefined;
}

/** An attempt before the account is known: it counts only for its address. */
export interface AddressAttempt {
  readonly address: string;
  readonly account?: undefined;
}

/** An attempt that was counted. */
export interface CountedAttempt {
  /** Number of failures of the account, or of the address if that is larger, including this attempt. */
  readonly failures: number;
  /** Whether one of the two numbers is to be noted: see {@link isNoted}. */
  readonly isNoted: boolean;
}

interface Failures {
  count: number;
  /** Monotonic milliseconds before which further attempts are refused. */
  openAtMs: number;
}

/** Maximum number of counters that are remembered. The least recently used ones are dropped first. */
const MAX_REMEMBERED = 10_000;
/** Number of failures without a wait: for an account, and for an address, which a whole school may share. */
const FREE = { account: 3, address: 10 } as const;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Milliseconds without an attempt after which failures are forgotten. */
const FORGOTTEN_MS = 900_000;

/**
 * Slows down people who guess passwords, per account and per address: they wait 1 s after a few failures, twice as long after
 * each further one, and at most 60 s.
 *
 * Nobody can lock out somebody else: in a browser from which an account has signed in, only failures of this account there
 * count. Such a browser shows a mark. An address is not enough: at one that has to wait, the different answers would tell
 * others there who has signed in from it. An attempt counts as failed until it succeeds, so that many attempts at once gain
 * nothing.
 */
export class SignInThrottle {
  readonly #monotonicMs: () => number;
  readonly #failures = new Map<string, Failures>();

  /** @param monotonicMs A clock that does not jump. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Counts an attempt.
   *
   * @throws {TallybookError} `SIGN_IN_TOO_SOON`; a refused attempt does not count.
   */
  begin(attempt: Attempt | AddressAttempt): CountedAttempt {
    const now = this.#monotonicMs();
    const counted = this.#countersOf(attempt).map(({ key, free }) => ({
      ...{ key, free },
      failures: this.#current(key, now),
    }));
    const waitMs = Math.max(...counted.map(({ failures }) => failures.openAtMs - now));
    if (waitMs > 0) throw tooSoon(waitMs);
    for (const { key, free, failures } of counted) {
      failures.count++;
      failures.openAtMs = now + waitAfter(failures.count - free);
      remember(this.#failures, key, failures);
    }
    const counts = counted.map(({ failures }) => failures.count);
    return { failures: Math.max(...counts), isNoted: counts.some(isNoted) };
  }

  /** Call it when the attempt has succeeded. */
  succeed(attempt: Attempt | AddressAttempt): void {
    for (const { key, free } of this.#countersOf(attempt)) {
      const failures = this.#failures.get(key);
      if (failures === undefined) continue;
      // Failures of others at this address stay counted, or anybody with an account could reset them.
      if (free === FREE.account || failures.count <= 1) this.#failures.delete(key);
      else {
        failures.count--;
        failures.openAtMs = this.#monotonicMs() + waitAfter(failures.count - free);
      }
    }
  }

  #countersOf(attempt: Attempt | AddressAttempt): readonly { readonly key: string; readonly free: number }[] {
    if (attempt.account === undefined) return [{ key: `address ${attempt.address}`, free: FREE.address }];
    if (attempt.browser !== undefined) {
      return [{ key: `browser ${attempt.account} ${attempt.browser}`, free: FREE.account }];
    }
    return [
      { key: `account ${attempt.account}`, free: FREE.account },
      { key: `address ${attempt.address}`, free: FREE.address },
    ];
  }

  #current(key: string, now: number): Failures {
    const failures = this.#failures.get(key);
    const isRecent = failures !== undefined && now - failures.openAtMs < FORGOTTEN_MS;
    return isRecent ? failures : { count: 0, openAtMs: now };
  }
}

/** The error of somebody who has to wait. */
export function tooSoon(waitMs: number): TallybookError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new TallybookError('SIGN_IN_TOO_SOON', `too many attempts; try again in ${retryAfterSeconds} s`, {
    details: { retryAfterSeconds },
  });
}

/** True for the first attempt, the second, the fourth and so on, so that many attempts do not fill the audit trail. */
export function isNoted(attempts: number): boolean {
  return Number.isInteger(Math.log2(attempts));
}

function waitAfter(surplus: number): number {
  if (surplus < 0) return 0;
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(surplus, 16), LONGEST_WAIT_MS);
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

/** Maximum number of works under way at the same time. */
const MAX_AT_ONCE = 20;
const WAIT_MS = 2_000;

/** Limits how much of one kind of work is under way, or waits, at the same time. */
export class WorkLimit {
  #count = 0;

  /** @throws {TallybookError} `SIGN_IN_TOO_SOON` while the maximum is under way. */
  requireRoom(): void {
    if (this.#count >= MAX_AT_ONCE) throw tooSoon(WAIT_MS);
  }

  /** Rejects as {@link requireRoom} throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.requireRoom();
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
    }
  }
}

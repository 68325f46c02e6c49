import { TallybookError } from '../errors.js';

/** An attempt to sign in: the name, and the address. */
export interface Attempt {
  /** The name, whether there is such a user or not. */
  readonly account: string;
  /** The address of the network that it comes from. */
  readonly address: string;
  /** Tells apart the browsers from which the account has signed in with the password before; absent for any other. */
  readonly browser?: string | undefined;
}

/** An attempt whose account is not known yet: it counts for its address alone. */
export interface AddressAttempt {
  readonly address: string;
  readonly account?: undefined;
}

interface Failures {
  count: number;
  /** Monotonic milliseconds before which no further attempt is looked at. */
  openAtMs: number;
}

/** Accounts, addresses and known places that are remembered; the ones that were not used for longest go first. */
const MAX_REMEMBERED = 10_000;
/** Failures until one has to wait: of an account, and of an address, behind which there may be a whole school. */
const FREE = { account: 3, address: 10 } as const;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Quiet milliseconds after which failures are forgotten. */
const FORGOTTEN_MS = 900_000;

/**
 * Slows down who tries passwords, per account and per address: 1 s after a few failures, twice as long after each further
 * one, 60 s at most.
 *
 * Nobody can lock somebody else out: where an account has signed in from a browser or an address, only the failures of this
 * account there count. Addresses are remembered until the process ends; a browser shows by itself that it is known. An attempt
 * counts as failed until it succeeds, so that many at once gain nothing.
 */
export class SignInThrottle {
  readonly #monotonicMs: () => number;
  readonly #failures = new Map<string, Failures>();
  readonly #known = new Map<string, true>();

  /** @param monotonicMs A clock that does not jump. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Counts an attempt.
   *
   * @returns How often this account, or this address if that is more, has failed, this time included.
   * @throws {TallybookError} `SIGN_IN_TOO_SOON`; such an attempt does not count.
   */
  begin(attempt: Attempt | AddressAttempt): number {
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
    return Math.max(...counted.map(({ failures }) => failures.count));
  }

  /** The attempt was right. */
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
    if (attempt.account !== undefined) remember(this.#known, placeOf(attempt), true);
  }

  #countersOf(attempt: Attempt | AddressAttempt): readonly { readonly key: string; readonly free: number }[] {
    if (attempt.account === undefined) return [{ key: `address ${attempt.address}`, free: FREE.address }];
    if (attempt.browser !== undefined) {
      return [{ key: `browser ${attempt.account} ${attempt.browser}`, free: FREE.account }];
    }
    const place = placeOf(attempt);
    if (this.#known.has(place)) return [{ key: place, free: FREE.account }];
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

function placeOf({ account, address }: Attempt): string {
  return `place ${account} ${address}`;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

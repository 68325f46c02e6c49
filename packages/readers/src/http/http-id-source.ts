import { invalidOption } from '@tallybook/devices';
import {
  createReading,
  isReservedTallyId,
  isTallybookError,
  TallybookError,
  Timekeeper,
  toTimestamp,
  type Clock,
  type IdFormat,
  type PushedReadings,
  type PushResult,
  type PushSource,
  type Reading,
  type ReadingOutcome,
  type ReceiptStore,
  type TallyId,
} from '@tallybook/domain';
import { ObservableIdSource } from '../observable-id-source.js';
import { patiently } from '../patiently.js';
import { Silence } from '../silence.js';
import { DeviceNumbers, InTurn, type RunNumbers } from './device-numbers.js';
import { checkOwnTime, numberOf, readPushed, type PushedReading } from './pushed-reading.js';

/** Characters that need no escape in an address. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const CANONICAL = /^[0-9A-F]{20}$/;
/** Largest number of simultaneous requests of a device. */
const MOST_REQUESTS = 16;
/** The default timekeeper trusts no clock that shows an earlier time: 2020-01-01. */
const BUILT_AT = 1_577_836_800;

export interface HttpReaderOptions {
  /**
   * 1 to 64 characters: ASCII letters, digits, `.`, `_` and `-`. The first is a letter or a digit. The name is part of
   * the address.
   */
  readonly name: string;
  /** Default: hex, unchanged. */
  readonly format?: IdFormat | undefined;
  /** Milliseconds without a request after which the device counts as missing, 1000..86400000. Default: never. */
  readonly silenceMs?: number | undefined;
  /** Whether the device's own clock is trusted: scans are filed under its time. Default: no. */
  readonly trustsDevice?: boolean | undefined;
  /** Keeps the taken numbers of the device. Default: memory. */
  readonly receipts?: ReceiptStore | undefined;
  /** The timekeeper of the attendance service. Default: one that trusts the clock from 2020 on. */
  readonly timekeeper?: Timekeeper | undefined;
}

/** Reason of a refusal by the attendance service. */
const ERASED: NonNullable<PushResult['error']> = {
  code: 'TAG_ERASED',
  message: 'the person of this tag was erased after this scan',
};

/** Time at which the present tag was read. */
type Stamp = Pick<Reading, 'at' | 'monotonicMs' | 'hasOwnTime'>;

/** When a request arrived, and whether a person sent it. */
interface Origin extends Required<Pick<PushedReadings, 'isByHand'>> {
  readonly arrived: Stamp;
}

/**
 * A remote reader that pushes its readings, as small boards, scripts and phones do: {@link push} takes the readings of a request.
 *
 * A request is answered when each of its scans is recorded, is provisional, or is in the backlog while the store cannot
 * write: {@link Reading.waitUntil}. Only then the device's numbers are stored, in one write for the request. If the
 * power is cut in between, the device sends the scans again, and they are taken twice. If the numbers were stored
 * first, scans could be lost.
 *
 * The source is connected while requests of its device arrive; without `silenceMs` it is always connected.
 */
export class HttpIdSource extends ObservableIdSource implements PushSource {
  override readonly kind = 'http';
  readonly #silenceMs: number | undefined;
  readonly #trustsDevice: boolean;
  readonly #timekeeper: Timekeeper;
  readonly #numbers: DeviceNumbers;
  readonly #turns = new InTurn();
  readonly #silence: Silence;
  #requests = 0;
  /** Time of the reading that is being delivered. */
  #stamp: Stamp | undefined;
  #work: Promise<ReadingOutcome>[] = [];

  /** @throws {TallybookError} `INVALID_OPTION` if an option is not as described. */
  constructor(options: HttpReaderOptions, clock: Clock) {
    const { name, silenceMs, trustsDevice = false, receipts } = options;
    super(requireName(name), clock, options.format);
    this.#silenceMs = checkSilence(silenceMs);
    this.#trustsDevice = trustsDevice;
    this.#timekeeper = options.timekeeper ?? new Timekeeper(clock, { builtAt: BUILT_AT });
    this.#numbers = new DeviceNumbers(name, receipts);
    this.#silence = new Silence(clock, () => {
      this.#miss();
    });
  }

  async push({
    run,
    readings,
    isByHand = false,
  }: PushedReadings): Promise<readonly PushResult[] | undefined> {
    if (this.status !== 'open') return readings.map((each) => notKept(numberOf(each)));
    if (this.#requests >= MOST_REQUESTS) return undefined;
    this.#requests++;
    const arrived = { at: this.clock.now(), monotonicMs: this.clock.monotonicMs() };
    const origin: Origin = { arrived, isByHand };
    this.#hear();
    try {
      return await this.run(() => {
        const isNumbered = readings.some((each) => numberOf(each) !== undefined);
        // A repeated reading must not be taken twice, even while its first request is still being handled.
        if (isNumbered) return this.#turns.run(run, () => this.#takeNumbered(run, readings, origin));
        return this.#settle(readings.map((each) => this.#take(each, origin)));
      });
    } finally {
      this.#requests--;
    }
  }

  noteUnreadable(error: TallybookError): void {
    if (this.status !== 'open') return;
    this.#hear();
    this.report(error);
  }

  protected override onOpen(): Promise<void> {
    if (this.#silenceMs === undefined) this.setConnection('connected');
    else this.#silence.await(this.#silenceMs);
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    this.#silence.stop();
    this.setConnection('waiting');
    return Promise.resolve();
  }

  protected override stamp(id: TallyId): Reading {
    const stamp = this.#stamp ?? {};
    const work = this.#work;
    return {
      ...createReading(this.clock, this.name, id),
      ...stamp,
      waitUntil: (each) => void work.push(each),
    };
  }

  async #takeNumbered(
    run: string,
    readings: readonly unknown[],
    origin: Origin,
  ): Promise<readonly PushResult[]> {
    const numbers = await this.#numbers.of(run);
    const seen = new Set<number>();
    const taking = readings.map((each): Taking => {
      const n = numberOf(each);
      if (n !== undefined && (numbers.has(n) || seen.has(n))) return { n, outcome: 'repeated' };
      if (n !== undefined) seen.add(n);
      return this.#take(each, origin);
    });
    const results = await this.#settle(taking);
    numbers.take(...sortNumbers(results, numbers));
    const isNoted = await patiently(this.clock, this.#numbers.keep(run, numbers), false);
    // If the numbers are not stored, or the numbers of other servers are unknown, the device is asked to send again.
    // That is safe only if all scans have the device's own time: such a scan is recorded once, however often it comes.
    const canComeAgain = taking.every(({ hasOwnTime }) => hasOwnTime === true);
    const isCertain = isNoted && numbers.isCurrent;
    return isCertain || !canComeAgain ? results : results.map(unlessCertain);
  }

  /** Delivers one reading. */
  #take(pushed: unknown, { arrived, isByHand }: Origin): Taking {
    const n = numberOf(pushed);
    let refusal: TallybookError | undefined;
    const refuse = (error: TallybookError): void => {
      refusal = error;
      this.report(error);
    };
    const read = this.#reading(pushed, arrived, refuse);
    const id = read && this.read(() => this.#idOf(read.id, isByHand), refuse);
    if (read === undefined || id === undefined) {
      return { n, outcome: 'refused', ...(refusal && { error: describe(refusal) }) };
    }
    this.#stamp = read.stamp;
    const work: Promise<ReadingOutcome>[] = [];
    this.#work = work;
    this.deliver(id);
    const [taken] = work;
    // No service takes readings before everything is open, or after it was closed.
    if (taken === undefined) return notKept(n);
    return { n, outcome: taken, hasOwnTime: read.stamp.hasOwnTime };
  }

  #idOf(text: string, isByHand: boolean): TallyId {
    const reserved = isByHand ? reservedIn(text) : undefined;
    return reserved ?? this.format.fromText(text);
  }

  #reading(
    pushed: unknown,
    arrived: Stamp,
    refuse: (error: TallybookError) => void,
  ): { readonly id: string; readonly stamp: Stamp } | undefined {
    try {
      const reading = readPushed(pushed);
      return { id: reading.id, stamp: this.#stampOf(reading, arrived) };
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      refuse(error);
      return undefined;
    }
  }

  #stampOf({ atMs, ageMs }: PushedReading, { at, monotonicMs }: Stamp): Stamp {
    if (!this.#trustsDevice || atMs === undefined) {
      const then = Math.max(Math.floor(at - ageMs / 1000), 0);
      return { at: toTimestamp(then), monotonicMs: monotonicMs - ageMs };
    }
    const now = this.#timekeeper.now();
    const { isTrusted } = this.#timekeeper.trust();
    const ownMs = checkOwnTime(atMs, isTrusted ? now : undefined);
    // Without a trusted clock the age of the scan is not known.
    const sinceMs = isTrusted ? now * 1000 - ownMs : 0;
    return {
      at: toTimestamp(Math.floor(ownMs / 1000)),
      monotonicMs: monotonicMs - sinceMs,
      hasOwnTime: true,
    };
  }

  /** Resolves when the result of each reading is known, or waiting for it took too long. */
  #settle(taking: readonly Taking[]): Promise<readonly PushResult[]> {
    return Promise.all(
      taking.map(async ({ n, outcome, error }): Promise<PushResult> => {
        if (typeof outcome === 'string') return { n, outcome, ...(error && { error }) };
        const settling = outcome.catch(() => 'not-kept' as const);
        const settled = await patiently<PushResult['outcome']>(this.clock, settling, 'waiting');
        return { n, outcome: settled, ...(settled === 'refused' && { error: ERASED }) };
      }),
    );
  }

  #hear(): void {
    if (this.#silenceMs !== undefined) this.#silence.await(this.#silenceMs);
    this.setConnection('connected');
  }

  #miss(): void {
    const message = `nothing came from the device for ${(this.#silenceMs ?? 0) / 1000} s; check whether it runs, and reaches the service`;
    this.report(new TallybookError('READER_DISCONNECTED', message));
    this.setConnection('waiting');
  }
}

/** A reading and its outcome. While the scan is being recorded, the outcome is a promise. */
interface Taking {
  readonly n: number | undefined;
  readonly outcome: PushResult['outcome'] | Promise<ReadingOutcome>;
  readonly error?: PushResult['error'];
  /** Whether it is filed under the time of the device. */
  readonly hasOwnTime?: boolean | undefined;
}

/**
 * The result that makes the device send a recorded scan again. A scan that waits in memory is not sent again: this
 * server remembers its number.
 */
function unlessCertain(result: PushResult): PushResult {
  const { n, outcome } = result;
  return outcome === 'counted' || outcome === 'already-counted' ? notKept(n) : result;
}

/** A reserved id as the service writes it, in whatever format the device spells its ids. */
function reservedIn(text: string): TallyId | undefined {
  const isReserved = CANONICAL.test(text) && isReservedTallyId(text as TallyId);
  return isReserved ? (text as TallyId) : undefined;
}

function notKept(n: number | undefined): PushResult {
  return { n, outcome: 'not-kept' };
}

function describe({ code, message }: TallybookError): NonNullable<PushResult['error']> {
  return { code, message };
}

/** Sorts the numbers: those that were taken now, and those that the device will send again. */
function sortNumbers(
  results: readonly PushResult[],
  numbers: RunNumbers,
): readonly [taken: number[], missing: number[]] {
  const taken: number[] = [];
  const missing: number[] = [];
  for (const { n, outcome } of results) {
    if (n === undefined || outcome === 'refused' || numbers.has(n)) continue;
    (outcome === 'not-kept' ? missing : taken).push(n);
  }
  return [taken, missing];
}

function checkSilence(silenceMs: number | undefined): number | undefined {
  if (silenceMs === undefined || (silenceMs >= 1_000 && silenceMs <= 86_400_000)) return silenceMs;
  throw invalidOption(`silence is 1s to 1d; got ${silenceMs} ms`, 'silence');
}

function requireName(name: string): string {
  if (NAME.test(name)) return name;
  throw invalidOption(
    `an http reader is named by its path, such as http:door, of 1 to 64 letters of ASCII, digits, ".", "_" and "-"`,
    'path',
  );
}

import { checkRange, type Range, invalidOption } from '@tallybook/devices';
import { parseTallyId, type Clock, type TallyId } from '@tallybook/domain';
import { asyncScheduler, interval, Subscription, type SchedulerLike } from 'rxjs';
import { ObservableIdSource } from '../observable-id-source.js';

/** Allowed numbers of tags. */
export const TAGS_RANGE: Range = { lowest: 1, highest: 1_000 };

export interface SimulatedOptions {
  /** Default: `simulated`. */
  readonly name?: string | undefined;
  /** Milliseconds from one tag to the next, 100..86400000, default 5000. */
  readonly everyMs?: number | undefined;
  /** Number of tags that take turns, 1..1000, default 10. */
  readonly tags?: number | undefined;
  /** Measures the time between tags. Default: the timers of the process. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** For demonstrations: tags with 5-byte ids take turns. After each opening they are the same tags in the same order. */
export class SimulatedIdSource extends ObservableIdSource {
  override readonly kind = 'simulated';
  readonly #everyMs: number;
  readonly #tags: number;
  readonly #scheduler: SchedulerLike;
  #turns = Subscription.EMPTY;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is not as described. */
  constructor(options: SimulatedOptions, clock: Clock) {
    super(options.name ?? 'simulated', clock);
    const { everyMs = 5_000, tags = 10 } = options;
    if (!(everyMs >= 100 && everyMs <= 86_400_000)) {
      throw invalidOption(`every is 100ms to 1d; got ${everyMs} ms`, 'every');
    }
    this.#everyMs = everyMs;
    this.#tags = checkRange('tags', tags, TAGS_RANGE);
    this.#scheduler = options.scheduler ?? asyncScheduler;
  }

  protected override onOpen(): Promise<void> {
    this.#turns = interval(this.#everyMs, this.#scheduler).subscribe((turn) => {
      this.deliver(createTagId(turn % this.#tags));
    });
    this.setConnection('connected');
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    this.#turns.unsubscribe();
    this.setConnection('waiting');
    return Promise.resolve();
  }
}

/** A version byte, as on tags of one make, and a number without a pattern. An odd factor gives each number once. */
function createTagId(tag: number): TallyId {
  const number = Math.imul(tag + 1, 0x9e3779b1) >>> 0;
  return parseTallyId(`5A${number.toString(16).padStart(8, '0')}`);
}

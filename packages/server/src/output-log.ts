import {
  ManagedResource,
  type Clock,
  type Subscribable,
  type Subscription,
  type TallybookError,
} from '@tallybook/domain';
import type { Log } from './log.js';
import { MeteredLog } from './metered-log.js';

/** An indicator, or a publisher. */
export interface Output {
  readonly name: string;
  readonly faults: Subscribable<TallybookError>;
}

/** Writes to the log what keeps outputs from doing their work. */
export class OutputLog extends ManagedResource {
  readonly #log: MeteredLog;
  readonly #outputs: readonly Output[];
  #subscriptions: readonly Subscription[] = [];

  constructor(log: Log, outputs: readonly Output[], clock: Clock) {
    super();
    this.#log = new MeteredLog(log, clock);
    this.#outputs = outputs;
  }

  protected override async onOpen(): Promise<void> {
    this.#subscriptions = this.#outputs.map(({ name: output, faults }) =>
      faults.subscribe(({ code, message }) => {
        this.#log.write(`${output} ${code}`, 'warn', { output, code }, message);
      }),
    );
  }

  protected override async onClose(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions = [];
  }
}

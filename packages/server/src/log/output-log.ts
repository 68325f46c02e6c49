import type { DeviceConnection } from '@tallybook/devices';
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
  readonly connections: Subscribable<DeviceConnection>;
}

/** Logs the connections and the faults of outputs. */
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
    this.#subscriptions = this.#outputs.flatMap(({ name: output, connections, faults }) => [
      connections.subscribe((connection) => {
        if (connection === 'connected') {
          this.#log.write(`${output} connected`, 'info', { output }, 'output connected');
        }
      }),
      faults.subscribe(({ code, message }) => {
        this.#log.write(`${output} ${code}`, 'warn', { output, code }, message);
      }),
    ]);
  }

  protected override async onClose(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions = [];
  }
}

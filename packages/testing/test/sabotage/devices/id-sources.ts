import {
  createReading,
  Emitter,
  parseTallyId,
  toTimestamp,
  type Clock,
  type ReaderFault,
  type Reading,
  type Subscribable,
  type Subscription,
  type TallyId,
} from '@tallybook/domain';
import { ScriptedIdSource } from '@tallybook/testing';
import { faults } from '../sabotage.js';

/** A stream in which `change` replaces each value by none, one or several. */
function changed<T>(stream: Subscribable<T>, change: (value: T) => readonly T[]): Subscribable<T> {
  return { subscribe: (next) => stream.subscribe((value) => change(value).forEach((each) => next(each))) };
}

/** A fake whose sabotage changes its readings. */
abstract class Misdelivering extends ScriptedIdSource {
  constructor(clock: Clock) {
    super(clock);
    Object.assign(this, {
      readings: changed(this.readings, (reading) => this.misdeliver(reading)),
      faults: changed(this.faults, (fault) => this.misreport(fault)),
    });
  }

  protected misdeliver(reading: Reading): readonly Reading[] {
    return [reading];
  }

  protected misreport(fault: ReaderFault): readonly ReaderFault[] {
    return [fault];
  }
}

/** A fake whose sabotage concerns its subscribers. */
abstract class Miswired extends ScriptedIdSource {
  constructor(clock: Clock) {
    super(clock);
    const { readings } = this;
    const subscribe: Subscribable<Reading>['subscribe'] = (next) => this.wire(readings, next);
    Object.assign(this, { readings: { subscribe } });
  }

  protected abstract wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription;
}

/** A fake that can deliver wrong readings. */
abstract class Overdelivering extends Miswired {
  readonly #clock: Clock;
  readonly #emitter = new Emitter<Reading>();

  constructor(clock: Clock) {
    super(clock);
    this.#clock = clock;
  }

  protected deliver(id: string): void {
    this.#emitter.emit(createReading(this.#clock, this.name, parseTallyId(id)));
  }

  protected override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
    const subscriptions = [readings.subscribe(next), this.#emitter.subscribe(next)];
    return { unsubscribe: () => subscriptions.forEach((each) => each.unsubscribe()) };
  }
}

export const idSourceSabotages = faults<new (clock: Clock) => ScriptedIdSource>({
  'delivers ids in lower case': class extends Misdelivering {
    static readonly fails = ['delivers ids in canonical form and in the order of the tags'];
    protected override misdeliver(reading: Reading): readonly Reading[] {
      return [{ ...reading, id: reading.id.toLowerCase() as TallyId }];
    }
  },
  'delivers each reading twice': class extends Misdelivering {
    static readonly fails = ['delivers ids in canonical form and in the order of the tags'];
    protected override misdeliver(reading: Reading): readonly Reading[] {
      return [reading, reading];
    }
  },
  'leaves repeated readings out': class extends ScriptedIdSource {
    static readonly fails = ['delivers a tag each time it is presented'];
    #last = '';

    override present(id: string): void {
      if (id !== this.#last) super.present(id);
      this.#last = id;
    }
  },
  'stamps readings with another name': class extends Misdelivering {
    static readonly fails = ['stamps readings with its name and the time of both clocks'];
    protected override misdeliver(reading: Reading): readonly Reading[] {
      return [{ ...reading, reader: 'another' }];
    }
  },
  'stamps readings with a time of day that is a second late': class extends Misdelivering {
    static readonly fails = ['stamps readings with its name and the time of both clocks'];
    protected override misdeliver(reading: Reading): readonly Reading[] {
      return [{ ...reading, at: toTimestamp(reading.at + 1) }];
    }
  },
  'stamps readings with the wrong clock': class extends Misdelivering {
    static readonly fails = ['stamps readings with its name and the time of both clocks'];
    protected override misdeliver(reading: Reading): readonly Reading[] {
      return [{ ...reading, monotonicMs: reading.at * 1000 }];
    }
  },
  'delivers to the newest subscriber only': class extends Miswired {
    static readonly fails = ['delivers to every subscriber until it unsubscribes'];
    #newest: Subscription | undefined;

    protected override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
      this.#newest?.unsubscribe();
      return (this.#newest = readings.subscribe(next));
    }
  },
  'delivers to who unsubscribed': class extends Miswired {
    static readonly fails = ['delivers to every subscriber until it unsubscribes'];
    protected override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
      readings.subscribe(next);
      return { unsubscribe: () => undefined };
    }
  },
  'delivers nothing after the first fault': class extends ScriptedIdSource {
    static readonly fails = ['reports what is no id as a fault and goes on'];
    #isBroken = false;

    constructor(clock: Clock) {
      super(clock);
      this.faults.subscribe(() => (this.#isBroken = true));
    }

    override present(id: string): void {
      if (!this.#isBroken) super.present(id);
    }
  },
  'says nothing about faults': class extends Misdelivering {
    static readonly fails = ['reports what is no id as a fault and goes on'];
    protected override misreport(): readonly ReaderFault[] {
      return [];
    }
  },
  'names another reader in its faults': class extends Misdelivering {
    static readonly fails = ['names itself in its faults'];
    protected override misreport(fault: ReaderFault): readonly ReaderFault[] {
      return [{ ...fault, reader: 'another' }];
    }
  },
  'reports each fault twice': class extends Misdelivering {
    static readonly fails = ['refuses ids of only 0 and only F digits as faults'];
    protected override misreport(fault: ReaderFault): readonly ReaderFault[] {
      return [fault, fault];
    }
  },
  'delivers ids of only 0 and only F digits': class extends Overdelivering {
    static readonly fails = ['refuses ids of only 0 and only F digits as faults'];
    override present(id: string): void {
      super.present(id);
      if (/^(0+|F+)$/.test(id)) this.deliver(id);
    }
  },
  'delivers what it read while it was closed': class extends Overdelivering {
    static readonly fails = ['delivers nothing while it is closed'];
    override present(id: string): void {
      if (this.status === 'closed') this.deliver(id);
      else super.present(id);
    }
  },
  'loses its subscribers when it is closed': class extends Miswired {
    static readonly fails = ['delivers to the same subscribers after it was closed and opened again'];
    #closings = 0;

    protected override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
      const closings = this.#closings;
      return readings.subscribe((reading) => {
        if (closings === this.#closings) next(reading);
      });
    }

    protected override onClose(): Promise<void> {
      this.#closings++;
      return super.onClose();
    }
  },
  'says that it is connected before it is open': class extends ScriptedIdSource {
    static readonly fails = ['is connected while it is open and its device is there, else waiting'];
    override get connection(): 'connected' | 'waiting' {
      return this.status === 'closed' ? 'connected' : super.connection;
    }
  },
  'says that it is waiting for ever': class extends ScriptedIdSource {
    static readonly fails = ['is connected while it is open and its device is there, else waiting'];
    override get connection(): 'connected' | 'waiting' {
      return 'waiting';
    }
  },
  'does not notice that its device is lost': class extends ScriptedIdSource {
    static readonly fails = ['closes while it waits for its device'];
    override unplug(): void {
      if (this.status !== 'open') super.unplug();
    }
  },
  'closes when its device is lost': class extends ScriptedIdSource {
    static readonly fails = [
      'reports a lost device once and waits for it',
      'delivers again when its device is back',
    ];
    override unplug(): void {
      super.unplug();
      void this.close();
    }
  },
  'does not notice that its device is back': class extends ScriptedIdSource {
    static readonly fails = ['reports a lost device once and waits for it'];
    override plug(): void {
      return;
    }
  },
  'does not open without its device': class extends ScriptedIdSource {
    static readonly fails = ['opens without its device and connects when it comes'];
    #isThere = true;

    override unplug(): void {
      this.#isThere = false;
      super.unplug();
    }

    override async open(): Promise<void> {
      if (!this.#isThere) throw new Error('no such device');
      return super.open();
    }
  },
  'does not close while it waits for its device': class extends ScriptedIdSource {
    static readonly fails = ['closes while it waits for its device'];
    override async close(): Promise<void> {
      if (this.status === 'open' && this.connection === 'waiting') throw new Error('busy');
      return super.close();
    }
  },
  'connects after it was closed': class extends ScriptedIdSource {
    static readonly fails = ['closes while it waits for its device'];
    override plug(): void {
      void this.open();
      super.plug();
    }
  },
});

import { setImmediate } from 'node:timers/promises';
import { ManagedResource } from '@tallybook/domain';
import type { Sabotage } from './sabotage.js';

/** The smallest resource: a value passes while it is open. */
export class Valve extends ManagedResource {
  pass(): Promise<void> {
    return this.run(() => Promise.resolve());
  }

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}

export const lifecycleSabotages: readonly Sabotage<new () => Valve>[] = [
  {
    fault: 'opens by itself when it is made',
    Fake: class extends Valve {
      constructor() {
        super();
        void this.open();
      }
    },
    fails: ['is closed when it is made'],
  },
  {
    fault: 'does not open',
    Fake: class extends Valve {
      override async open(): Promise<void> {
        return;
      }
    },
    fails: ['is open after open and closed after close'],
  },
  {
    fault: 'stays open when it is closed',
    Fake: class extends Valve {
      override async close(): Promise<void> {
        return;
      }
    },
    fails: ['is open after open and closed after close'],
  },
  {
    fault: 'stays open when it is disposed of',
    Fake: class extends Valve {
      override async [Symbol.asyncDispose](): Promise<void> {
        return;
      }
    },
    fails: ['closes when it is disposed of'],
  },
  {
    fault: 'rejects open when it is open',
    Fake: class extends Valve {
      override async open(): Promise<void> {
        if (this.status === 'open') throw new Error('open already');
        return super.open();
      }
    },
    fails: ['opens once when open is called again'],
  },
  {
    fault: 'rejects open while it opens',
    Fake: class extends Valve {
      #isOpening = false;

      override async open(): Promise<void> {
        if (this.#isOpening) throw new Error('opening already');
        this.#isOpening = true;
        await super.open();
        this.#isOpening = false;
      }
    },
    fails: ['opens once when open is called twice at the same time'],
  },
  {
    fault: 'rejects close when it is closed',
    Fake: class extends Valve {
      override async close(): Promise<void> {
        if (this.status === 'closed') throw new Error('closed already');
        return super.close();
      }
    },
    fails: ['closes when it was never opened, and when it is closed'],
  },
  {
    fault: 'ignores close while it opens',
    Fake: class extends Valve {
      override async close(): Promise<void> {
        if (this.status === 'open') return super.close();
      }
    },
    fails: ['ends closed when close is called while it opens'],
  },
  {
    fault: 'ignores open while it closes',
    Fake: class extends Valve {
      override async open(): Promise<void> {
        if (this.status === 'closed') return super.open();
      }
    },
    fails: ['ends open when open is called while it closes'],
  },
  {
    fault: 'opens only once in its life',
    Fake: class extends Valve {
      protected override async onClose(): Promise<void> {
        this.onOpen = () => Promise.reject(new Error('worn out'));
      }
    },
    fails: ['opens again after it was closed'],
  },
  {
    fault: 'works in every state',
    Fake: class extends Valve {
      protected override run<T>(work: () => Promise<T>): Promise<T> {
        return work();
      }
    },
    fails: [
      'rejects pass with NOT_OPEN before it was opened',
      'rejects pass with NOT_OPEN after it was closed',
    ],
  },
  {
    fault: 'closes without waiting for operations',
    Fake: class extends Valve {
      protected override async run<T>(work: () => Promise<T>): Promise<T> {
        const result = await super.run(work);
        await setImmediate();
        return result;
      }
    },
    fails: ['lets pass finish when close is called meanwhile'],
  },
];

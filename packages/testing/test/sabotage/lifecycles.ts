import { setImmediate } from 'node:timers/promises';
import { ManagedResource } from '@tallybook/domain';
import { faults } from './sabotage.js';

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

export const lifecycleSabotages = faults<new () => Valve>({
  'opens by itself when it is made': class extends Valve {
    static readonly fails = ['is closed when it is made'];
    constructor() {
      super();
      void this.open();
    }
  },
  'does not open': class extends Valve {
    static readonly fails = ['is open after open and closed after close'];
    override async open(): Promise<void> {
      return;
    }
  },
  'stays open when it is closed': class extends Valve {
    static readonly fails = ['is open after open and closed after close'];
    override async close(): Promise<void> {
      return;
    }
  },
  'stays open when it is disposed of': class extends Valve {
    static readonly fails = ['closes when it is disposed of'];
    override async [Symbol.asyncDispose](): Promise<void> {
      return;
    }
  },
  'rejects open when it is open': class extends Valve {
    static readonly fails = ['opens once when open is called again'];
    override async open(): Promise<void> {
      if (this.status === 'open') throw new Error('open already');
      return super.open();
    }
  },
  'rejects open while it opens': class extends Valve {
    static readonly fails = ['opens once when open is called twice at the same time'];
    #isOpening = false;

    override async open(): Promise<void> {
      if (this.#isOpening) throw new Error('opening already');
      this.#isOpening = true;
      await super.open();
      this.#isOpening = false;
    }
  },
  'rejects close when it is closed': class extends Valve {
    static readonly fails = ['closes when it was never opened, and when it is closed'];
    override async close(): Promise<void> {
      if (this.status === 'closed') throw new Error('closed already');
      return super.close();
    }
  },
  'ignores close while it opens': class extends Valve {
    static readonly fails = ['ends closed when close is called while it opens'];
    override async close(): Promise<void> {
      if (this.status === 'open') return super.close();
    }
  },
  'ignores open while it closes': class extends Valve {
    static readonly fails = ['ends open when open is called while it closes'];
    override async open(): Promise<void> {
      if (this.status === 'closed') return super.open();
    }
  },
  'opens only once in its life': class extends Valve {
    static readonly fails = ['opens again after it was closed'];
    protected override async onClose(): Promise<void> {
      this.onOpen = () => Promise.reject(new Error('worn out'));
    }
  },
  'works in every state': class extends Valve {
    static readonly fails = [
      'rejects pass with NOT_OPEN before it was opened',
      'rejects pass with NOT_OPEN after it was closed',
    ];
    protected override run<T>(work: () => Promise<T>): Promise<T> {
      return work();
    }
  },
  'closes without waiting for operations': class extends Valve {
    static readonly fails = ['lets pass finish when close is called meanwhile'];
    protected override async run<T>(work: () => Promise<T>): Promise<T> {
      const result = await super.run(work);
      await setImmediate();
      return result;
    }
  },
});

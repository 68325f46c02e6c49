import { ManagedResource } from '@tallybook/domain';
import { closedStoreSabotages } from './closed-stores.js';
import { faults, type Sabotage } from './sabotage.js';

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
  ...faults(Valve, {
    'opens by itself when it is made': class extends Valve {
      static readonly fails = ['is closed when it is made'];
      constructor() {
        super();
        void this.open();
      }
    },
    'does not open': {
      fails: ['is open after open and closed after close'],
      open: () => () => Promise.resolve(),
    },
    'stays open when it is closed': {
      fails: ['is open after open and closed after close'],
      close: () => () => Promise.resolve(),
    },
    'stays open when it is disposed of': class extends Valve {
      static readonly fails = ['closes when it is disposed of'];
      override async [Symbol.asyncDispose](): Promise<void> {
        return;
      }
    },
    'rejects open when it is open': {
      fails: ['opens once when open is called again'],
      open: (sound, fake) => async () => {
        if (fake.status === 'open') throw new Error('open already');
        return sound();
      },
    },
    'rejects open while it opens': {
      fails: ['opens once when open is called twice at the same time'],
      open: (sound) => {
        let isOpening = false;
        return async () => {
          if (isOpening) throw new Error('opening already');
          isOpening = true;
          await sound();
          isOpening = false;
        };
      },
    },
    'rejects close when it is closed': {
      fails: ['closes when it was never opened, and when it is closed'],
      close: (sound, fake) => async () => {
        if (fake.status === 'closed') throw new Error('closed already');
        return sound();
      },
    },
    'ignores close while it opens': {
      fails: ['ends closed when close is called while it opens'],
      close: (sound, fake) => async () => {
        if (fake.status === 'open') return sound();
      },
    },
    'ignores open while it closes': {
      fails: ['ends open when open is called while it closes'],
      open: (sound, fake) => async () => {
        if (fake.status === 'closed') return sound();
      },
    },
    'opens only once in its life': {
      fails: ['opens again after it was closed'],
      onClose: (_, fake) => async () => {
        fake.onOpen = () => Promise.reject(new Error('worn out'));
      },
    },
  }),
  ...closedStoreSabotages(Valve, ['pass']),
];

import { setImmediate } from 'node:timers/promises';
import type { ManagedResource } from '@tallybook/domain';
import { faults, type Class, type Sabotage } from './sabotage.js';

/** Faults that every store can have: it works while it is closed, or closes too soon. */
export function closedStoreSabotages<Store extends ManagedResource, Args extends readonly unknown[]>(
  Sound: Class<Store, Args>,
  operations: readonly string[],
): readonly Sabotage<Class<Store, Args>>[] {
  return faults<ManagedResource, Args>(Sound, {
    'works in every state': {
      fails: operations.flatMap((name) => [
        `rejects ${name} with NOT_OPEN before it was opened`,
        `rejects ${name} with NOT_OPEN after it was closed`,
      ]),
      run: () => (work) => work(),
    },
    'closes without waiting for operations': {
      fails: operations.map((name) => `lets ${name} finish when close is called meanwhile`),
      run: (sound) => async (work) => {
        const result = await sound(work);
        await setImmediate();
        return result;
      },
    },
  }) as readonly Sabotage<Class<Store, Args>>[];
}

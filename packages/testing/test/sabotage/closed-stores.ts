import { setImmediate } from 'node:timers/promises';
import type { ManagedResource } from '@tallybook/domain';
import type { Sabotage } from './sabotage.js';

/** Faults that every store can have: it works while it is closed, or closes too soon. */
export function closedStoreSabotages<Data, Store extends ManagedResource>(
  Sound: new (data: Data) => Store,
  operations: readonly string[],
): readonly Sabotage<new (data: Data) => Store>[] {
  const Base: new (data: Data) => ManagedResource = Sound;
  abstract class WorksAlways extends Base {
    protected override run<T>(work: () => Promise<T>): Promise<T> {
      return work();
    }
  }
  abstract class ClosesSoon extends Base {
    protected override async run<T>(work: () => Promise<T>): Promise<T> {
      const result = await super.run(work);
      await setImmediate();
      return result;
    }
  }
  return [
    {
      fault: 'works in every state',
      Fake: WorksAlways as unknown as typeof Sound,
      fails: operations.flatMap((name) => [
        `rejects ${name} with NOT_OPEN before it was opened`,
        `rejects ${name} with NOT_OPEN after it was closed`,
      ]),
    },
    {
      fault: 'closes without waiting for operations',
      Fake: ClosesSoon as unknown as typeof Sound,
      fails: operations.map((name) => `lets ${name} finish when close is called meanwhile`),
    },
  ];
}

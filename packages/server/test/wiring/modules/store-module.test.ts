import { openAll, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { createContainer, loadConfig, serviceId } from '@tallybook/server';
import { MemoryDayStore, MemoryMappingStore } from '@tallybook/testing';
import { expect } from 'chai';

const id = parseTallyId('04A2B3C4D5');
const day = toDay(20_411);
const at = toTimestamp(1_763_510_400);
const name = { first: 'Ada', last: '' };

describe('The stores of a server', () => {
  for (const isBound of [false, true]) {
    it(`have all written data in their snapshots, ${isBound ? 'also with two replaced stores' : 'with their own stores'}`, async () => {
      const container = createContainer(loadConfig({ store: 'memory:', logLevel: 'silent' }, {}));
      if (isBound) {
        container.rebind(serviceId('dayStore')).toConstantValue(new MemoryDayStore());
        container.rebind(serviceId('mappingStore')).toConstantValue(new MemoryMappingStore());
      }
      const [days, mapping] = [
        container.get(serviceId('dayStore')),
        container.get(serviceId('mappingStore')),
      ];
      const provisional = container.get(serviceId('provisionalStore'));
      const corrections = container.get(serviceId('correctionStore'));
      const opened = await openAll([days, mapping, provisional, corrections]);
      await days.record(day, id, at);
      await mapping.put(id, name);
      const scan = { id, reader: 'door', bootId: 'boot', shown: at, notBefore: at, monotonicMs: 1 };
      await provisional.add(scan);
      const made = { action: 'void', day, id, at, reason: 'A test', author: 'ada', madeAt: at } as const;
      await corrections.correct([{ ...made, state: 'approved' }]);
      const snapshot = await container.get(serviceId('snapshots')).take();
      const kinds = [snapshot.names(), snapshot.days(), snapshot.provisional(), snapshot.corrections()];
      const counts = await Promise.all(
        kinds.map(async (each: AsyncIterable<unknown>) => {
          let count = 0;
          for await (const _ of each) count++;
          return count;
        }),
      );
      expect(counts).to.deep.equal([1, 1, 1, 1]);
      await snapshot[Symbol.asyncDispose]();
      await opened.close();
    });
  }
});

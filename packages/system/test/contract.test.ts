import { setTimeout as delay } from 'node:timers/promises';
import { clockContract } from '@tallybook/testing';
import { testLifecycle } from '../../testing/test/fixtures/test-lifecycle.js';
import { SystemClock } from '../src/index.js';
import { TimeService } from './time-service.js';

testLifecycle('SystemClock', async (afterwards) => {
  const service = await TimeService.create();
  afterwards(() => service[Symbol.asyncDispose]());
  return new SystemClock({ timedatectl: service.program });
});

clockContract(
  { describe, it },
  {
    name: 'SystemClock',
    make: async () => {
      const service = await TimeService.create();
      const clock = new SystemClock({ timedatectl: service.program });
      await clock.open();
      return {
        clock,
        wait: (milliseconds) => delay(milliseconds),
        cleanup: async () => {
          await clock.close();
          await service[Symbol.asyncDispose]();
        },
      };
    },
  },
);

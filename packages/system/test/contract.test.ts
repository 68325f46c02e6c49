import { setTimeout as delay } from 'node:timers/promises';
import { clockContract, lifecycleContract } from '@tallybook/testing';
import { SystemClock } from '../src/index.js';
import { TimeService } from './time-service.js';

lifecycleContract(
  { describe, it },
  {
    name: 'SystemClock',
    make: async () => {
      const service = await TimeService.create();
      const resource = new SystemClock({ timedatectl: service.program });
      return {
        resource,
        cleanup: async () => {
          await resource.close();
          await service[Symbol.asyncDispose]();
        },
      };
    },
  },
);

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

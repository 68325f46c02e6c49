import type { ContainerModule } from 'inversify';
import { SystemClock } from '@tallybook/system';
import { createLog } from '../../log/log.js';
import { moduleOf } from '../module-of.js';

/** Log and clock of the process. */
export const systemModule: ContainerModule = moduleOf({
  log: ({ config }) => createLog(config.logLevel, process.stdout),
  systemClock: ({ config }) => new SystemClock({ isTrusted: config.clock === 'trusted' }),
  clock: ({ systemClock }) => systemClock,
});

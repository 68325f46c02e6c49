import type { ContainerModule } from 'inversify';
import { createReader } from '@tallybook/readers';
import { moduleOf } from '../module-of.js';

/** The readers that the configuration names. */
export const readersModule: ContainerModule = moduleOf({
  idSources: ({ config, clock, timekeeper, storage: { receipts } }) =>
    config.readers.map((url) => createReader(url, { clock, timekeeper, ...(receipts && { receipts }) })),
});

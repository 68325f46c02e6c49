import type { ContainerModule } from 'inversify';
import { createReader, HttpIdSource } from '@tallybook/readers';
import { DeviceGroup } from '../device-group.js';
import { moduleOf } from '../module-of.js';

/** The readers that the configuration names. */
export const readersModule: ContainerModule = moduleOf({
  idSources: ({ config, clock, timekeeper, storage: { receipts } }) =>
    config.readers.map((url) => createReader(url, { clock, timekeeper, ...(receipts && { receipts }) })),
  pushSources: ({ idSources }) => idSources.filter((source) => source instanceof HttpIdSource),
  readers: ({ idSources, log, readerMonitor }) =>
    new DeviceGroup({
      role: 'reader',
      devices: idSources,
      log,
      needsOne: true,
      onMissing: (reader, error) => readerMonitor.note({ reader, error }),
    }),
});

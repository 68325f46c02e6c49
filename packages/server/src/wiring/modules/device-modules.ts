import type { AttendanceService } from '@tallybook/domain';
import type { ContainerModule } from 'inversify';
import { moduleOf } from '../module-of.js';

/** The readers that the configuration names. */
export const readersModule: ContainerModule = moduleOf({
  idSources: ({ config, clock, timekeeper, storage: { receipts } }) =>
    config.readers.map((url) =>
      config.adapters.readers.create(url, { clock, timekeeper, ...(receipts && { receipts }) }),
    ),
});

/** The outputs that the configuration names. */
export const outputsModule: ContainerModule = moduleOf({
  indicators: ({ config, clock }) =>
    config.indicators.map((url) => config.adapters.indicators.create(url, { clock })),
  publishers: (services) => {
    const { config, timekeeper, storage } = services;
    const { journal, mapping, people } = storage;
    // The tallybook is made of the publishers.
    const events: AttendanceService['events'] = {
      subscribe: (next) => services.tallybook.attendance.events.subscribe(next),
    };
    const parts = { journal, mapping, ...(people && { people }), timekeeper, attendance: { events } };
    return config.publishers.map((url) => config.adapters.publishers.create(url, parts));
  },
});

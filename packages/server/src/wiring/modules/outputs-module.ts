import type { ContainerModule } from 'inversify';
import { createIndicator, createPublisher } from '@tallybook/outputs';
import { DeviceGroup } from '../device-group.js';
import { moduleOf } from '../module-of.js';

/** The outputs that the configuration names. */
export const outputsModule: ContainerModule = moduleOf({
  indicators: ({ config, clock }) => config.indicators.map((url) => createIndicator(url, { clock })),
  publishers: ({ config, storage: { journal }, edited: { mapping }, timekeeper, attendance }) =>
    config.publishers.map((url) => createPublisher(url, { journal, mapping, timekeeper, attendance })),
  outputs: ({ publishers, indicators, log }) =>
    new DeviceGroup({ role: 'output', devices: [...publishers, ...indicators], log }),
});

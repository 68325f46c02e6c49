export type { DeviceIndicator, IndicatorDependencies } from '@tallybook/devices';
export { BaseIndicator, type DeviceIndicatorOptions, type Display } from './device-indicator.js';
export { createIndicator, indicators, indicatorSchemes } from './indicator-registry.js';
export { createPublisher, publishers, publisherSchemes } from './publisher-registry.js';

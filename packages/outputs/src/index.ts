export {
  BaseIndicator,
  type DeviceIndicator,
  type DeviceIndicatorOptions,
  type Display,
} from './device-indicator.js';
export { createIndicator, indicatorSchemes, type IndicatorDependencies } from './indicator-registry.js';
export { createPublisher, publisherSchemes } from './publisher-registry.js';

export { checkRange, type Range } from './check-range.js';
export { DeviceRegistry, type DeviceKind } from './device-registry.js';
export { DeviceUrl } from './device-url.js';
export { loadOptional } from './load-optional.js';
export { parseDuration } from './parse-duration.js';
export { Reconnection, type DeviceSession, type ReconnectionOptions } from './reconnection.js';
export { retryDelayMs } from './retry-delay.js';

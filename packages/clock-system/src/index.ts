export { SystemClock, type SystemClockOptions } from './system-clock.js';

import { correctionOperations } from './operations/corrections.js';
import { dayOperations } from './operations/days.js';
import { timeOperations } from './operations/time.js';

export * from './operation.js';
export * from './schema.js';
export * from './values.js';
export type { Correction, NewCorrection, Scans } from './operations/corrections.js';
export type {
  AttendanceDay,
  Backlog,
  Entry,
  EstimatedScan,
  Provisional,
  Today,
  WaitingScan,
} from './operations/days.js';
export type { Time } from './operations/time.js';
export { correctionOperations, dayOperations, timeOperations };
export { TIME_MAX_SECONDS } from './operations/time.js';

/** Every operation of the interface. */
export const operations = { ...dayOperations, ...correctionOperations, ...timeOperations };

/** The operations of a Tallybook service, with their types. */
export type TallybookOperations = typeof operations;

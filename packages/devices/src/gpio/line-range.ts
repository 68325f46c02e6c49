import type { Range } from '../check-range.js';

/** Numbers of lines of a GPIO chip. */
export const LINE_RANGE: Range = { lowest: 0, highest: 1_023 };

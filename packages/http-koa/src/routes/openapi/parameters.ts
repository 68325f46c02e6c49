import { DAY_MAX, TIMESTAMP_MAX_U64 } from '@tallybook/domain';
import type { Parameter } from './operation.js';
import { ref, type Schema } from './schema.js';

const u64: Schema = { type: 'string', pattern: '^[0-9]+$', description: `0 to ${TIMESTAMP_MAX_U64}` };
const u32: Schema = { type: 'string', pattern: '^[0-9]+$', description: `0 to ${DAY_MAX}` };

/** A day, given by one of its seconds or by its number. */
export const ofOneDay: readonly Parameter[] = [
  {
    name: 'timestamp',
    in: 'query',
    description: 'Any second of the day. It takes precedence over `day`.',
    schema: u64,
  },
  { name: 'day', in: 'query', description: 'The day. Ignored if there is a `timestamp`.', schema: u32 },
];

/** A range of days of any length. */
export const betweenMoments: readonly Parameter[] = [
  { name: 'from', in: 'query', description: 'A second of the first day.', required: true, schema: u64 },
  { name: 'to', in: 'query', description: 'A second of the last day.', required: true, schema: u64 },
];

/** A tag. {@link inFormat} is beside it. */
export const ofOneTag: Parameter = {
  name: 'id',
  in: 'query',
  description: 'The tag.',
  schema: ref('TypedId'),
};

/** The parameter for the spelling of an id. */
export const inFormat: Parameter = {
  name: 'format',
  in: 'query',
  description: 'Spelling of the id.',
  schema: ref('IdFormat'),
};

import {
  parseTallyId,
  toDay,
  toTimestamp,
  type Day,
  type Name,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';

/* What the cases of several contracts write. */

export const ada: TallyId = parseTallyId('04A2B3C4D5');
export const bob: TallyId = parseTallyId('0006547886');
export const cyd: TallyId = parseTallyId('010203');
export const lovelace: Name = { first: 'Ada', last: 'Lovelace' };
export const babbage: Name = { first: 'Charles', last: 'Babbage' };
export const day: Day = toDay(20_411);
export const nextDay: Day = toDay(20_412);
export const at = (seconds: number): Timestamp => toTimestamp(1_763_500_000 + seconds);

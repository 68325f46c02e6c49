import { DAY_MAX, spellingNames, TIMESTAMP_MAX_U64 } from '@tallybook/domain';
import {
  array,
  boolean,
  component,
  integer,
  named,
  object,
  oneOf,
  optional,
  parsed,
  string,
  type Optional,
  type Schema,
  type TypeOf,
} from './schema.js';

export const TallyId: Schema<string> = named(
  'TallyId',
  string({
    pattern: '^(?:[0-9A-F]{2}){3,10}$',
    description:
      'The 3 to 10 bytes of a tag in upper-case hex. It is a text, never a number: leading zeros count.',
    examples: ['04A2B3C4D5'],
  }),
);

export type TallyId = TypeOf<typeof TallyId>;

export const PersonId: Schema<string> = named(
  'PersonId',
  string({
    pattern: '^(?:[0-9A-F]{14}|tag-(?:[0-9A-F]{2}){3,10})$',
    description:
      '`tag-` and a TallyId for a person whom the first name of that tag made; else 14 upper-case hex digits.',
    examples: ['tag-04A2B3C4D5', '9C1E5A7B30D2F4'],
  }),
);

export type PersonId = TypeOf<typeof PersonId>;

export const GroupId: Schema<string> = named(
  'GroupId',
  string({
    minLength: 1,
    description:
      'The first name of the group, in small letters, without accents and further spaces. Renaming does not change it; the next group of that name has a number behind it.',
    examples: ['7b'],
  }),
);

export type GroupId = TypeOf<typeof GroupId>;

/** A filter: only what concerns a group. */
export function ofGroup(description: string): Optional<Schema<string, 'group'>> {
  return optional(parsed('group', GroupId, description));
}

/** A tag as people write it. The service needs {@link IdFormat} beside it to read it. */
export const TypedId = parsed<string, 'tag'>(
  'tag',
  named(
    'TypedId',
    string({
      description:
        'A tag as people write it: a TallyId in upper or lower case, with or without ":", "-" or a space between bytes; or an id as the readers of the service write it.',
      examples: ['04:a2:b3:c4:d5'],
    }),
  ),
);

export const IdFormat = named(
  'IdFormat',
  oneOf(
    spellingNames,
    'Spelling of an id. Programs send `hex`. If it is absent, the readers of the service decide.',
  ),
);

export type IdFormat = TypeOf<typeof IdFormat>;

export const TallyIds = named('TallyIds', array(TallyId, { uniqueItems: true, description: 'Ascending.' }));

export const Day: Schema<number> = named(
  'Day',
  integer({
    format: 'int64',
    maximum: DAY_MAX,
    description: 'Days since 1970-01-01.',
    examples: [20411],
  }),
);

export const Timestamp: Schema<number> = named(
  'Timestamp',
  integer({
    format: 'int64',
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Whole seconds since 1970-01-01T00:00:00Z.',
    examples: [1_763_510_400],
  }),
);

const digits = string({ pattern: '^[0-9]+$' });

/** A second in a query. */
export function secondOf(description: string): Schema<number | bigint, 'timestamp'> {
  return parsed<number | bigint, 'timestamp'>('timestamp', digits, {
    description: `${description} 0 to ${TIMESTAMP_MAX_U64}.`,
  });
}

/** A day, given by one of its seconds or by its number. */
export const ofOneDay: {
  readonly timestamp: Optional<Schema<number | bigint, 'timestamp'>>;
  readonly day: Optional<Schema<number, 'day'>>;
} = {
  timestamp: optional(secondOf('Any second of the day. It takes precedence over `day`.')),
  day: optional(
    parsed<number, 'day'>('day', digits, `The day, 0 to ${DAY_MAX}. Ignored if there is a \`timestamp\`.`),
    'timestamp',
  ),
};

/** A range of days, both included. */
export const ofDays: {
  readonly from: Schema<number | bigint, 'timestamp'>;
  readonly to: Schema<number | bigint, 'timestamp'>;
} = {
  from: secondOf('A second of the first day.'),
  to: secondOf('A second of the last day.'),
};

/** A whole number in a query. */
export function numberIn<const F extends 'digits' | 'seconds'>(
  format: F,
  [minimum, maximum]: readonly [minimum: number, maximum: number],
  description: string,
): Optional<Schema<number, F>> {
  const text = string({ pattern: `^[0-9]{1,${String(maximum).length}}$` });
  return optional(parsed<number, F>(format, text, { minimum, maximum, description }));
}

/** Whether something is so; by default it is not. */
export function flag(description: string): Optional<Schema<boolean, 'flag'>> {
  return optional(parsed('flag', boolean(), { default: false, description }));
}

/** The spelling of the ids of a request. */
export function inFormat(
  description = 'Spelling of the id.',
): Optional<Schema<TypeOf<typeof IdFormat>, 'spelling'>> {
  return optional(parsed('spelling', IdFormat, description));
}

/** `1` for the data of other users too. */
export const ofEverybody: Optional<Schema<1 | '1'>> = optional(
  oneOf(['1'], '`1` lists those of all users. Needs the right `manage-access`.') as Schema<1 | '1'>,
);

/** Problem details of refused requests. */
export const Problem = component(
  'Problem',
  {
    type: oneOf(['about:blank']),
    title: string(),
    status: integer(),
    detail: string(),
    code: optional(string('Stable. Absent if the request was malformed.')),
    roles: optional(
      array(
        string(),
        'Roles with the required right. Present with `NOT_ALLOWED`, if the right depends on the role.',
      ),
    ),
    refused: optional(array(object({}), 'The wrong lines. Present with `INVALID_NAME_LIST` only.')),
    acked: optional(integer('As in PushResults. Present if readings were not kept.')),
    results: optional(array(object({}), 'As in PushResults.')),
    expected: optional(integer('The last cursor that the centre has. Present only with `SYNC_GAP`.')),
  },
  'RFC 9457 problem details.',
);

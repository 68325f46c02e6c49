import { ERASURE_MAX_TAGS } from '@tallybook/domain/personal';
import {
  array,
  boolean,
  component,
  described,
  integer,
  named,
  object,
  oneOf,
  optional,
  orNull,
  parsed,
  string,
  type TypeOf,
} from '../schema.js';
import { fields, file, json, operation, refusal } from '../operation.js';
import { Day, flag, inFormat, PersonId, TallyId, Timestamp, TypedId } from '../values.js';
import { Name } from './names.js';

export const halfDigest = string({ pattern: '^[0-9a-f]{32}$' });

const ErasedTag = component(
  'ErasedTag',
  {
    id: TallyId,
    hasName: boolean(),
    days: integer('Number of days with an entry.'),
    scans: integer('Number of individually known scans.'),
    provisional: integer('Number of provisional scans.'),
    corrections: integer('Number of corrections, in any state.'),
    changes: integer('Number of changes in the journal.'),
  },
  'What was stored about a tag before its erasure.',
);
export type ErasedTag = TypeOf<typeof ErasedTag>;

export const ErasureReport = component(
  'ErasureReport',
  {
    isDryRun: boolean(),
    tags: array(ErasedTag),
    until: Timestamp,
    backupsWithIt: array(
      string(),
      'Backups in the folder of the service that still contain one of the tags. A text after the name means that the backup could not be searched.',
    ),
    formerFiles: array(
      string(),
      'Folders and backups that a repair or a rollback has kept in the store, which may contain the tags too.',
    ),
    isScrubbed: boolean(
      'Whether no byte of the erased data is left in the files of a store on a disk, or in the tables of a database. While somebody reads a former state, or the disk has too little room, it is false; the service removes the rest later.',
    ),
  },
  'Result of an erasure, or of its dry run.',
);
export type ErasureReport = TypeOf<typeof ErasureReport>;

const Erasure = component(
  'Erasure',
  {
    key: halfDigest,
    digest: halfDigest,
    until: described(Timestamp, 'Scans up to this time are refused.'),
    expiresAt: described(Timestamp, 'When the erasure itself is removed.'),
    state: oneOf(
      ['begun', 'removed', 'done'],
      '`removed`: the rows are removed, but bytes may be left in files.',
    ),
  },
  'An erased person. The digest is the first half of the HMAC-SHA-256 of the id, in upper-case hex, with the key.',
);
export type Erasure = TypeOf<typeof Erasure>;

const Erasures = named('Erasures', array(Erasure));

export const Retention = component(
  'Retention',
  {
    isDryRun: boolean(),
    keep: orNull(string(), 'The limit, as in `--keep`; null: all days are kept.'),
    firstKept: orNull(Day, 'Days before this one are removed.'),
    days: array(object({ day: Day, entries: integer() })),
    backups: array(string(), 'Older backups, which are removed too.'),
    keepGuests: orNull(string(), 'The limit of guests, as in `--keep-guests`; null: none is erased here.'),
    guests: array(
      object({ person: PersonId, since: described(Day, 'The day on which they were added.') }),
      'Guests whose limit is over, who are erased with their scans.',
    ),
    doubt: orNull(
      oneOf(['clock-not-trusted', 'leap-in-time', 'many-days']),
      'Why nothing is removed automatically; null without doubt.',
    ),
  },
  'Days and backups older than the limit, and guests past theirs.',
);
export type Retention = TypeOf<typeof Retention>;

const time = string({ format: 'date-time' });

const PersonData = component(
  'PersonData',
  {
    legend: object({}),
    id: TallyId,
    madeAt: orNull(string()),
    name: orNull(Name),
    days: array(
      object(
        { day: string({ format: 'date' }), first: time, last: time, count: integer(), scans: array(time) },
        'A day as it was recorded, before corrections. Times are UTC, in ISO 8601.',
      ),
    ),
    provisional: array(object({})),
    corrections: array(object({})),
    journal: array(object({})),
    audit: optional(array(object({}), 'Entries of the audit trail about the tag.')),
  },
  'Everything stored about one tag. `legend` explains each part.',
);

const dryRun = flag('Only list what would be removed.');

/** Erasing persons, removing old days, and the data of one person. */
export const personalOperations = {
  'GET /api/erasures': operation({
    id: 'listErasures',
    summary: 'List the erasures, as digests, for recipients of data who have to erase it too',
    action: 'manage-personal-data',
    answers: { 200: json(Erasures) },
  }),
  'POST /api/erasures': operation({
    id: 'erase',
    summary: 'Erase persons from all data and for good, or show what would be erased',
    action: 'manage-personal-data',
    body: fields(
      {
        ids: optional(
          array(TypedId, {
            maxItems: ERASURE_MAX_TAGS,
            description:
              'Tags: each means its holder, who had no other tag, or the scans of a tag that nobody held. With `people` at least one.',
          }),
        ),
        people: optional(
          array(string(), {
            maxItems: ERASURE_MAX_TAGS,
            description: 'Ids of persons, with all their tags.',
          }),
        ),
        format: inFormat('Spelling of all the ids.'),
        dryRun,
      },
      'ErasureRequest',
    ),
    answers: {
      200: json(ErasureReport),
      404: refusal('There is no such person (`PERSON_NOT_FOUND`).'),
      409: refusal(
        'The clock may be wrong (`CLOCK_NOT_TRUSTED`), or a tag does not say which person is meant (`PERSON_CONFLICT`): choose them by `people`.',
      ),
    },
  }),
  'GET /api/retention': operation({
    id: 'readRetention',
    summary: 'The limit of the age of days, and the days that would be removed now',
    action: 'manage-personal-data',
    query: {
      keep: optional(
        parsed(
          'keep',
          string(),
          'Lists what this limit would remove, such as `24months`, `400days` or `2years`. Default: the setting of the service.',
        ),
      ),
    },
    answers: { 200: json(Retention) },
  }),
  'POST /api/retention': operation({
    id: 'applyRetention',
    summary: 'Remove days that are too old, or only list them',
    action: 'manage-personal-data',
    body: fields({ dryRun, confirm: flag('Remove the days in spite of `doubt`.') }, 'RetentionRequest'),
    answers: {
      200: json(Retention),
      409: refusal(
        'Nothing was removed: the clock may be wrong (`CLOCK_NOT_TRUSTED`), or somebody has to confirm the removal (`RETENTION_NOT_CONFIRMED`).',
      ),
    },
  }),
  'GET /api/person/data': operation({
    id: 'readPersonData',
    summary: 'Everything stored about one person, or about a tag without a holder',
    action: 'manage-personal-data',
    query: {
      id: optional(
        described(
          TypedId,
          'A tag: its holder, who had no other tag, or the scans of a tag that nobody held.',
        ),
      ),
      format: inFormat(),
      person: optional(string('The id of a person, in place of `id`.')),
    },
    invalid: 'Neither `id` nor `person` is given, or both, or one is given twice or invalid.',
    answers: {
      200: file(
        'application/json',
        'JSON for people and programs. It is complete if it can be parsed.',
        'A file name.',
        PersonData,
      ),
      404: refusal('There is no such person (`PERSON_NOT_FOUND`).'),
      409: refusal('The tag does not say which person is meant (`PERSON_CONFLICT`).'),
      503: refusal('The maximum number of exports is running. `Retry-After` says when to try again.'),
    },
  }),
};

import { ERASURE_MAX_TAGS } from '@tallybook/domain/personal';
import { array, boolean, object, ref, type Schema } from './schema.js';
import {
  failure,
  inFormat,
  internalError,
  jsonRequest,
  momentary,
  notStored,
  ofOneTag,
  query,
  readable,
  refusedBodies,
  type Paths,
} from './operation.js';

const count: Schema = { type: 'integer', minimum: 0 };
const halfDigest: Schema = { type: 'string', pattern: '^[0-9a-f]{32}$' };

export const personalSchemas: Readonly<Record<string, Schema>> = {
  ErasureRequest: object(
    {
      ids: { type: 'array', items: ref('TypedId'), minItems: 1, maxItems: ERASURE_MAX_TAGS },
      format: ref('IdFormat', 'Spelling of all the ids.'),
      dryRun: { type: 'boolean', default: false, description: 'Only list what would be removed.' },
    },
    { optional: ['format', 'dryRun'], description: 'The tags to erase.' },
  ),
  ErasedTag: object(
    {
      id: ref('TallyId'),
      hasName: { type: 'boolean' },
      days: { ...count, description: 'Number of days with an entry.' },
      scans: { ...count, description: 'Number of individually known scans.' },
      provisional: { ...count, description: 'Number of provisional scans.' },
      corrections: { ...count, description: 'Number of corrections, in any state.' },
      changes: { ...count, description: 'Number of changes in the journal.' },
    },
    'What was stored about a tag before its erasure.',
  ),
  ErasureReport: object(
    {
      dryRun: { type: 'boolean' },
      tags: array(ref('ErasedTag')),
      until: ref('Timestamp'),
      backupsWithIt: array(
        { type: 'string' },
        'Backups in the folder of the service that still contain one of the tags. A text after the name means that the backup could not be searched.',
      ),
      formerFiles: array(
        { type: 'string' },
        'Folders in the store with files from before a repair, which may contain the tags too.',
      ),
      isScrubbed: boolean(
        'Whether no byte of the erased data is left in the files of a store on a disk, or in the tables of a database. While somebody reads a former state, or the disk has too little room, it is false; the service removes the rest later.',
      ),
    },
    'Result of an erasure, or of its dry run.',
  ),
  Erasure: object(
    {
      key: halfDigest,
      digest: halfDigest,
      until: ref('Timestamp', 'Scans up to this time are refused.'),
      expiresAt: ref('Timestamp', 'When the erasure itself is removed.'),
      state: {
        enum: ['begun', 'removed', 'done'],
        description: '`removed`: the rows are removed, but bytes may be left in files.',
      },
    },
    'An erased person. The digest is the first half of the HMAC-SHA-256 of the id, in upper-case hex, with the key.',
  ),
  Erasures: array(ref('Erasure')),
  RetentionRequest: {
    type: 'object',
    properties: {
      dryRun: { type: 'boolean', default: false, description: 'Only list what would be removed.' },
      confirm: { type: 'boolean', default: false, description: 'Remove the days in spite of `doubt`.' },
    },
  },
  Retention: object(
    {
      dryRun: { type: 'boolean' },
      keep: { type: ['string', 'null'], description: 'The limit, as in `--keep`; null: all days are kept.' },
      firstKept: {
        anyOf: [ref('Day'), { type: 'null' }],
        description: 'Days before this one are removed.',
      },
      days: array(object({ day: ref('Day'), entries: count })),
      backups: array({ type: 'string' }, 'Older backups, which are removed too.'),
      doubt: {
        enum: ['clock-not-trusted', 'leap-in-time', 'many-days', null],
        description: 'Why nothing is removed automatically; null without doubt.',
      },
    },
    'Days and backups older than the limit.',
  ),
  PersonData: object(
    {
      legend: { type: 'object' },
      id: ref('TallyId'),
      madeAt: { type: ['string', 'null'] },
      name: { anyOf: [ref('Name'), { type: 'null' }] },
      days: array(
        object(
          {
            day: { type: 'string', format: 'date' },
            first: { type: 'string', format: 'date-time' },
            last: { type: 'string', format: 'date-time' },
            count,
            scans: array({ type: 'string', format: 'date-time' }),
          },
          'A day as it was recorded, before corrections. Times are UTC, in ISO 8601.',
        ),
      ),
      provisional: array({ type: 'object' }),
      corrections: array({ type: 'object' }),
      journal: array({ type: 'object' }),
      audit: array({ type: 'object' }, 'Entries of the audit trail about the tag.'),
    },
    { optional: ['audit'], description: 'Everything stored about one tag. `legend` explains each part.' },
  ),
};

const clockNotTrusted = failure('The clock may be wrong (`CLOCK_NOT_TRUSTED`).');

/** Erasing persons, removing old days, and the data of one person. */
export const personalPaths: Paths = {
  '/api/erasures': {
    ...readable({
      operationId: 'listErasures',
      summary: 'List the erasures, as digests, for recipients of data who have to erase it too',
      responses: { ...momentary('Erasures'), 500: internalError },
    }),
    post: {
      operationId: 'erase',
      summary: 'Erase persons by their tags, from all data and for good, or show what would be erased',
      requestBody: jsonRequest('ErasureRequest'),
      responses: {
        ...momentary('ErasureReport'),
        400: failure('The body is not as described; the answer names the field and the reason.'),
        409: clockNotTrusted,
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/retention': {
    ...readable({
      operationId: 'readRetention',
      summary: 'The limit of the age of days, and the days that would be removed now',
      parameters: [
        query(
          'keep',
          'Lists what this limit would remove, such as `24months`, `400days` or `2years`. Default: the setting of the service.',
          { type: 'string' },
        ),
      ],
      responses: {
        ...momentary('Retention'),
        400: failure('`keep` is not a valid limit, or is given twice.'),
        500: internalError,
      },
    }),
    post: {
      operationId: 'applyRetention',
      summary: 'Remove days that are too old, or only list them',
      requestBody: jsonRequest('RetentionRequest'),
      responses: {
        ...momentary('Retention'),
        400: failure('The body is not as described; the answer names the field and the reason.'),
        409: failure(
          'Nothing was removed: the clock may be wrong (`CLOCK_NOT_TRUSTED`), or somebody has to confirm the removal (`RETENTION_NOT_CONFIRMED`).',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/person/data': readable({
    operationId: 'readPersonData',
    summary: 'Everything stored about one tag',
    parameters: [{ ...ofOneTag, required: true }, inFormat],
    responses: {
      200: {
        description: 'JSON for people and programs. It is complete if it can be parsed.',
        headers: {
          ...notStored,
          'Content-Disposition': { schema: { type: 'string' }, description: 'A file name.' },
        },
        content: { 'application/json': { schema: ref('PersonData') } },
      },
      400: failure('The id is missing, given twice or invalid.'),
      500: internalError,
      503: failure('The maximum number of exports is running. `Retry-After` says when to try again.'),
    },
  }),
};

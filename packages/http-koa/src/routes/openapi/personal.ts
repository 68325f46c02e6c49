import { ERASURE_MAX_TAGS } from '@tallybook/domain/personal';
import { ref, type Schema } from './schema.js';
import {
  failure,
  inFormat,
  internalError,
  jsonRequest,
  momentary,
  notStored,
  ofOneTag,
  readable,
  refusedBodies,
  type Paths,
} from './operation.js';

const count: Schema = { type: 'integer', minimum: 0 };
const halfDigest: Schema = { type: 'string', pattern: '^[0-9a-f]{32}$' };

export const personalSchemas: Readonly<Record<string, Schema>> = {
  ErasureRequest: {
    type: 'object',
    description: 'The tags to erase.',
    properties: {
      ids: { type: 'array', items: ref('TypedId'), minItems: 1, maxItems: ERASURE_MAX_TAGS },
      format: { ...ref('IdFormat'), description: 'Spelling of all the ids.' },
      dryRun: { type: 'boolean', default: false, description: 'Only list what would be removed.' },
    },
    required: ['ids'],
  },
  ErasedTag: {
    type: 'object',
    description: 'What was stored about a tag before its erasure.',
    properties: {
      id: ref('TallyId'),
      hasName: { type: 'boolean' },
      days: { ...count, description: 'Number of days with an entry.' },
      scans: { ...count, description: 'Number of individually known scans.' },
      provisional: { ...count, description: 'Number of provisional scans.' },
      corrections: { ...count, description: 'Number of corrections, in any state.' },
      changes: { ...count, description: 'Number of changes in the journal.' },
    },
    required: ['id', 'hasName', 'days', 'scans', 'provisional', 'corrections', 'changes'],
  },
  ErasureReport: {
    type: 'object',
    description: 'Result of an erasure, or of its dry run.',
    properties: {
      dryRun: { type: 'boolean' },
      tags: { type: 'array', items: ref('ErasedTag') },
      until: ref('Timestamp'),
      backupsWithIt: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Backups in the folder of the service that still contain one of the tags. A text after the name means that the backup could not be searched.',
      },
      formerFiles: {
        type: 'array',
        items: { type: 'string' },
        description: 'Folders in the store with files from before a repair, which may contain the tags too.',
      },
      isScrubbed: {
        type: 'boolean',
        description:
          'Whether no byte of the erased data is left in the files of a store on a disk, or in the tables of a database. While somebody reads a former state, or the disk has too little room, it is false; the service removes the rest later.',
      },
    },
    required: ['dryRun', 'tags', 'until', 'backupsWithIt', 'formerFiles', 'isScrubbed'],
  },
  Erasure: {
    type: 'object',
    description:
      'An erased person. The digest is the first half of the HMAC-SHA-256 of the id, in upper-case hex, with the key.',
    properties: {
      key: halfDigest,
      digest: halfDigest,
      until: { ...ref('Timestamp'), description: 'Scans up to this time are refused.' },
      expiresAt: { ...ref('Timestamp'), description: 'When the erasure itself is removed.' },
      state: {
        enum: ['begun', 'removed', 'done'],
        description: '`removed`: the rows are removed, but bytes may be left in files.',
      },
    },
    required: ['key', 'digest', 'until', 'expiresAt', 'state'],
  },
  Erasures: { type: 'array', items: ref('Erasure') },
  RetentionRequest: {
    type: 'object',
    properties: {
      dryRun: { type: 'boolean', default: false, description: 'Only list what would be removed.' },
      confirm: { type: 'boolean', default: false, description: 'Remove the days in spite of `doubt`.' },
    },
  },
  Retention: {
    type: 'object',
    description: 'Days and backups older than the limit.',
    properties: {
      dryRun: { type: 'boolean' },
      keep: { type: ['string', 'null'], description: 'The limit, as in `--keep`; null: all days are kept.' },
      firstKept: {
        anyOf: [ref('Day'), { type: 'null' }],
        description: 'Days before this one are removed.',
      },
      days: {
        type: 'array',
        items: {
          type: 'object',
          properties: { day: ref('Day'), entries: count },
          required: ['day', 'entries'],
        },
      },
      backups: {
        type: 'array',
        items: { type: 'string' },
        description: 'Older backups, which are removed too.',
      },
      doubt: {
        enum: ['clock-not-trusted', 'leap-in-time', 'many-days', null],
        description: 'Why nothing is removed automatically; null without doubt.',
      },
    },
    required: ['dryRun', 'keep', 'firstKept', 'days', 'backups', 'doubt'],
  },
  PersonData: {
    type: 'object',
    description: 'Everything stored about one tag. `legend` explains each part.',
    properties: {
      legend: { type: 'object' },
      id: ref('TallyId'),
      madeAt: { type: ['string', 'null'] },
      name: { anyOf: [ref('Name'), { type: 'null' }] },
      days: {
        type: 'array',
        items: {
          type: 'object',
          description: 'A day as it was recorded, before corrections. Times are UTC, in ISO 8601.',
          properties: {
            day: { type: 'string', format: 'date' },
            first: { type: 'string', format: 'date-time' },
            last: { type: 'string', format: 'date-time' },
            count,
            scans: { type: 'array', items: { type: 'string', format: 'date-time' } },
          },
          required: ['day', 'first', 'last', 'count', 'scans'],
        },
      },
      provisional: { type: 'array', items: { type: 'object' } },
      corrections: { type: 'array', items: { type: 'object' } },
      journal: { type: 'array', items: { type: 'object' } },
      audit: {
        type: 'array',
        items: { type: 'object' },
        description: 'Entries of the audit trail about the tag.',
      },
    },
    required: ['legend', 'id', 'madeAt', 'name', 'days', 'provisional', 'corrections', 'journal'],
  },
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
        {
          name: 'keep',
          in: 'query',
          description:
            'Lists what this limit would remove, such as `24months`, `400days` or `2years`. Default: the setting of the service.',
          schema: { type: 'string' },
        },
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

import { ERASURE_MAX_TAGS } from '@tallybook/domain';
import { ref, type Schema } from '../schema.js';

const count: Schema = { type: 'integer', minimum: 0 };
const halfDigest: Schema = { type: 'string', pattern: '^[0-9a-f]{32}$' };

export const personalSchemas: Readonly<Record<string, Schema>> = {
  ErasureRequest: {
    type: 'object',
    description: 'The tags to erase.',
    properties: {
      ids: { type: 'array', items: ref('TallyId'), minItems: 1, maxItems: ERASURE_MAX_TAGS },
      dryRun: { type: 'boolean', default: false, description: 'Only say what would go.' },
    },
    required: ['ids'],
  },
  ErasedTag: {
    type: 'object',
    description: 'Counts of the data of a tag, before its erasure.',
    properties: {
      id: ref('TallyId'),
      hasName: { type: 'boolean' },
      days: { ...count, description: 'Days with an entry.' },
      scans: { ...count, description: 'Scans that are known individually.' },
      provisional: { ...count, description: 'Provisional scans.' },
      corrections: { ...count, description: 'Corrections, including rejected ones.' },
      changes: { ...count, description: 'Changes in the journal.' },
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
          'Backups in the folder of the service that still contain one of the tags, or could not be searched. The text after the name says which.',
      },
      formerFiles: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Folders in the store with files from before a repair. They may contain one of the tags.',
      },
      isScrubbed: {
        type: 'boolean',
        description:
          'Whether no byte is left in the files of a store on a disk, or in the tables of a store in a database. If not, somebody still reads an earlier state; the service removes the bytes later.',
      },
    },
    required: ['dryRun', 'tags', 'until', 'backupsWithIt', 'formerFiles', 'isScrubbed'],
  },
  Erasure: {
    type: 'object',
    description:
      'A person who was erased. The digest is the first half of HMAC-SHA-256 of the id, in upper-case hex, under the key.',
    properties: {
      key: halfDigest,
      digest: halfDigest,
      until: { ...ref('Timestamp'), description: 'Scans up to this time are refused.' },
      expiresAt: { ...ref('Timestamp'), description: 'When the erasure is forgotten too.' },
      state: {
        enum: ['begun', 'removed', 'done'],
        description: '`removed`: the rows are gone, but not yet the bytes.',
      },
    },
    required: ['key', 'digest', 'until', 'expiresAt', 'state'],
  },
  Erasures: { type: 'array', items: ref('Erasure') },
  RetentionRequest: {
    type: 'object',
    properties: {
      dryRun: { type: 'boolean', default: false, description: 'Only say what would go.' },
      confirm: { type: 'boolean', default: false, description: 'Whether to remove days despite a doubt.' },
    },
  },
  Retention: {
    type: 'object',
    description: 'Days and backups older than the limit.',
    properties: {
      dryRun: { type: 'boolean' },
      keep: { type: ['string', 'null'], description: 'The value of `--keep`; null: everything is kept.' },
      firstKept: {
        anyOf: [ref('Day'), { type: 'null' }],
        description: 'Days before this day are removed.',
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
        description: 'Why nothing is removed automatically.',
      },
    },
    required: ['dryRun', 'keep', 'firstKept', 'days', 'backups', 'doubt'],
  },
  PersonData: {
    type: 'object',
    description: 'Everything stored about one tag; `legend` explains each part in plain words.',
    properties: {
      legend: { type: 'object' },
      id: ref('TallyId'),
      madeAt: { type: ['string', 'null'] },
      name: { anyOf: [ref('Name'), { type: 'null' }] },
      days: {
        type: 'array',
        items: {
          type: 'object',
          description: 'A day as recorded, before corrections. Times are in UTC, in the form of ISO 8601.',
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
        description: 'Actions of users of the service that concern the tag.',
      },
    },
    required: ['legend', 'id', 'madeAt', 'name', 'days', 'provisional', 'corrections', 'journal'],
  },
};

import { NAME_LIST_MAX_LINES } from '@tallybook/domain';
import { FORM_TYPE } from '../../../requests/file-of-form.js';
import { FILE_MAX_BYTES } from '../../../requests/read-file.js';
import { LIST_TYPES } from '../../names/routes-people.js';
import { UNNAMED_DEFAULT_DAYS, UNNAMED_MAX_DAYS } from '../../names/routes-unnamed.js';
import {
  cacheable,
  failure,
  internalError,
  jsonRequest,
  momentary,
  noRoom,
  notStored,
  readable,
  refusedBodies,
  type Paths,
} from '../operation.js';
import { ofOneTag } from '../parameters.js';
import { ref } from '../schema.js';

const noName = failure('The tag has no name.');

/** Names of tags, one by one and as a list, and the tags without a name. */
export const namePaths: Paths = {
  '/api/mapping': {
    ...readable({
      operationId: 'readMapping',
      summary: 'All names, or that of one tag',
      parameters: [{ ...ofOneTag, description: 'Only the name of this tag.' }],
      responses: {
        ...cacheable('The mapping; with `id` the name of that tag.', 'MappingOrName'),
        400: failure('The id is invalid or given twice.'),
        404: noName,
        500: internalError,
      },
    }),
    post: {
      operationId: 'assignName',
      summary: 'Give a tag to somebody; the name is durable when the answer comes',
      requestBody: jsonRequest('NewMapping'),
      responses: {
        200: { description: 'The name takes the place of another one. Empty body.' },
        201: { description: 'The tag had no name. Empty body.' },
        400: failure(
          'The body is not JSON, or a field is missing or invalid; the answer says which and why.',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
    delete: {
      operationId: 'removeName',
      summary: 'Remove the name of a tag',
      parameters: [{ ...ofOneTag, required: true }],
      responses: {
        204: { description: 'It belongs to nobody, which is durable.' },
        400: failure('The id is missing, invalid or given twice.'),
        404: noName,
        500: internalError,
      },
    },
  },
  '/api/mappings': readable({
    operationId: 'listNamedTags',
    summary: 'The tags that have a name',
    responses: { ...cacheable('Their ids, ascending.', 'TallyIds'), 500: internalError },
  }),
  '/api/people': {
    post: {
      operationId: 'importNames',
      summary: 'Names from a list: all of it is taken, durably, or nothing',
      parameters: [
        {
          name: 'dry-run',
          in: 'query',
          description: '`1` shows what the list would change, and changes nothing.',
          schema: { enum: ['0', '1'] },
        },
      ],
      requestBody: {
        description: `A list in CSV or JSON Lines, at most ${FILE_MAX_BYTES} bytes and ${NAME_LIST_MAX_LINES} lines; in a form it is the only file. Separator, encoding and columns are recognised.`,
        required: true,
        content: Object.fromEntries(
          [...LIST_TYPES, FORM_TYPE].map((type) => [type, { schema: { type: 'string' } }]),
        ),
      },
      responses: {
        200: {
          description: 'The changes, made or in a dry run. Only a dry run has refused lines.',
          headers: notStored,
          content: { 'application/json': { schema: ref('NameListReport') } },
        },
        400: failure('`dry-run` is something else, or the body is no form with one file.'),
        413: failure('The body is too large.'),
        415: failure('The body is of another type, or it is compressed.'),
        422: failure(
          'Lines of the list are at fault; `refused` says which and why, 1,000 of them at most. Nothing was written.',
        ),
        500: internalError,
        503: noRoom,
      },
    },
  },
  '/api/unnamed': readable({
    operationId: 'listUnnamed',
    summary: 'The tags that were seen and have no name, the latest first',
    parameters: [
      {
        name: 'days',
        in: 'query',
        description: `How many days back are looked at, today among them: 1 to ${UNNAMED_MAX_DAYS}, default ${UNNAMED_DEFAULT_DAYS}.`,
        schema: { type: 'string', pattern: '^[0-9]{1,4}$' },
      },
    ],
    responses: {
      ...momentary('Unnamed'),
      400: failure('The number of days is invalid or given twice.'),
      500: internalError,
      503: noRoom,
    },
  }),
};

import { NAME_LIST_MAX_LINES } from '@tallybook/domain/record';
import { FILE_MAX_BYTES, FORM_TYPE } from '../../requests/read-file.js';
import { LIST_TYPES } from '../names/routes-people.js';
import { UNNAMED_DEFAULT_DAYS, UNNAMED_MAX_DAYS } from '../names/routes-unnamed.js';
import {
  cacheable,
  failure,
  inFormat,
  internalError,
  jsonRequest,
  momentary,
  noRoom,
  notStored,
  ofOneTag,
  query,
  required,
  readable,
  refusedBodies,
  type Paths,
} from './operation.js';
import { ref } from './schema.js';

const noName = failure('The tag has no name.');

/** Names of tags, one by one and as a list, and the tags without a name. */
export const namePaths: Paths = {
  '/api/mapping': {
    ...readable({
      operationId: 'readMapping',
      summary: 'All names, or the name of one tag',
      parameters: [{ ...ofOneTag, description: 'Only the name of this tag.' }, inFormat],
      responses: {
        ...cacheable('The mapping. With `id`, the name of that tag.', 'MappingOrName'),
        400: failure('The id is invalid, given twice, or can be read as two ids.'),
        404: noName,
        500: internalError,
      },
    }),
    post: {
      operationId: 'assignName',
      summary: 'Give a tag a name. The name is durable when the answer comes',
      requestBody: jsonRequest('NewMapping'),
      responses: {
        200: { description: 'The name replaces another one. Empty body.' },
        201: { description: 'The tag had no name. Empty body.' },
        400: failure(
          'The body is not JSON, a field is missing or invalid, or the id can be read as two ids; the answer names the field and the reason.',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
    delete: {
      operationId: 'removeName',
      summary: 'Remove the name of a tag',
      parameters: [{ ...ofOneTag, required: true }, inFormat],
      responses: {
        204: { description: 'The name is removed durably.' },
        400: failure('The id is missing, invalid, given twice, or can be read as two ids.'),
        404: noName,
        500: internalError,
      },
    },
  },
  '/api/mappings': readable({
    operationId: 'listNamedTags',
    summary: 'The tags with a name',
    responses: { ...cacheable('The ids, ascending.', 'TallyIds'), 500: internalError },
  }),
  '/api/people': {
    post: {
      operationId: 'importNames',
      summary: 'Import names from a list: all of them durably, or none',
      parameters: [
        query('dry-run', '`1` shows the changes of the list, and changes nothing.', { enum: ['0', '1'] }),
        { ...inFormat, description: 'Spelling of all ids of the list.' },
        query(
          'encoding',
          'Encoding of the list, such as `windows-1250` or `macintosh`. Default: detected, else guessed from its letters.',
          { type: 'string' },
        ),
        ...(['id', 'first', 'last'] as const).map((part) => ({
          name: `${part}-column`,
          in: 'query' as const,
          description: `Column of the ${part === 'id' ? 'tag' : `${part} name`}: its title, or its number from 1; 0 if there is none. Default: by the known titles.`,
          schema: { type: 'string' } as const,
        })),
      ],
      requestBody: {
        description: `A list in CSV or JSON Lines, at most ${FILE_MAX_BYTES} bytes and ${NAME_LIST_MAX_LINES} lines. In a form it is the only file. The service detects separator, encoding and columns.`,
        required: true,
        content: Object.fromEntries(
          [...LIST_TYPES, FORM_TYPE].map((type) => [type, { schema: { type: 'string' } }]),
        ),
      },
      responses: {
        200: {
          description:
            'The changes that were made, or that a dry run would make. Only a dry run has refused lines.',
          headers: notStored,
          content: { 'application/json': { schema: ref('NameListReport') } },
        },
        400: failure(
          '`dry-run` is neither `0` nor `1`, `format` or the encoding is unknown, or the body is a form without exactly one file.',
        ),
        413: failure('The body is too large.'),
        415: failure('The type of the body is not supported, or the body is compressed.'),
        422: failure(
          'Lines of the list are wrong. `refused` has the lines and the reasons, at most 1,000, and `reading` how the list was read. Nothing was written.',
        ),
        500: internalError,
        503: noRoom,
      },
    },
  },
  '/api/id': readable({
    operationId: 'readId',
    summary: 'The tags that a text may mean, as people write ids, and what is known of them',
    parameters: [required('text', 'The text.', ref('TypedId')), inFormat],
    responses: {
      ...momentary('IdReadings'),
      400: failure('The text is missing or given twice, or it is not an id.'),
      500: internalError,
    },
  }),
  '/api/unnamed': readable({
    operationId: 'listUnnamed',
    summary: 'The tags with scans but without a name, the latest first',
    parameters: [
      query(
        'days',
        `Number of days to search, back from today and including it: 1 to ${UNNAMED_MAX_DAYS}, default ${UNNAMED_DEFAULT_DAYS}.`,
        { type: 'string', pattern: '^[0-9]{1,4}$' },
      ),
    ],
    responses: {
      ...momentary('Unnamed'),
      400: failure('The number of days is invalid or given twice.'),
      500: internalError,
      503: noRoom,
    },
  }),
};

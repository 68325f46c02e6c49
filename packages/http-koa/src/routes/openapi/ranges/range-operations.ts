import {
  cacheable,
  failure,
  internalError,
  noPlace,
  notStored,
  readable,
  type Operation,
  type Paths,
} from '../operation.js';
import { codesParameter, csvParameters, rangeParameters, sheetParameters } from './range-parameters.js';

const badRange = failure(
  'A parameter is missing, invalid or given twice, or the range is too long; the answer names the parameter and the reason.',
);

/** The attendance of people in a range of days. */
export const rangePaths: Paths = {
  '/api/table': readable({
    operationId: 'readTable',
    summary: 'Who was there on each day of a range',
    parameters: [...rangeParameters, codesParameter],
    responses: {
      ...cacheable('The table. It has no days if the day of `from` is later than the day of `to`.', 'Table'),
      400: badRange,
      500: internalError,
    },
  }),
  '/api/csv': readable({
    operationId: 'exportCsv',
    summary: 'Who was there on each day of a range, as CSV for spreadsheets and programs',
    parameters: csvParameters,
    responses: {
      ...download('text/csv', 'UTF-8. Lines end with CR and LF, and text is in quotes.'),
      400: badRange,
      500: internalError,
      503: noPlace,
    },
  }),
  '/api/xlsx': readable({
    operationId: 'exportXlsx',
    summary: 'Who was there on each day of a range, as an Excel workbook',
    parameters: sheetParameters,
    responses: {
      ...download(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'A workbook with one sheet, or with several if one sheet cannot hold all rows.',
      ),
      400: badRange,
      500: internalError,
      503: noPlace,
    },
  }),
};

function download(type: string, description: string): Operation['responses'] {
  const headers = {
    ...notStored,
    'Content-Disposition': {
      schema: { type: 'string' },
      description: 'A file name with the first and the last day of the range.',
    },
  };
  return { 200: { description, headers, content: { [type]: { schema: { type: 'string' } } } } };
}

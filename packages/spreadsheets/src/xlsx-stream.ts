/** What is needed of hucre. A file by itself, so that it is loaded with the first workbook, and a bundler leaves out the rest. */
export { writeXlsxStream } from 'hucre/xlsx';

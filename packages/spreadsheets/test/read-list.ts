import { expect } from 'chai';
import type { ListRow } from '@tallybook/domain/record';
import { readNameList, type ListChoices, type ListReading } from '@tallybook/spreadsheets';
import { collect } from './sheets.js';

interface Read {
  /** Each row as `TAG, TAG FIRST|LAST #NUMBER (GROUP, GROUP) =PERSON`, or `LINE! MESSAGE`. */
  readonly lines: readonly string[];
  readonly rows: readonly ListRow[];
  readonly reading: ListReading;
}

export async function read(list: string | Uint8Array, choices: ListChoices = {}): Promise<Read> {
  const lines = readNameList(typeof list === 'string' ? Buffer.from(list) : list, choices);
  const rows = await collect(lines);
  return { lines: rows.map(say), rows, reading: lines.reading };
}

function say(row: ListRow): string {
  if ('code' in row) {
    expect(row.code).to.equal('INVALID_NAME_LIST');
    return `${row.line}! ${row.message}`;
  }
  const { tags, name, number, groups, person } = row;
  return [
    tags.join(', '),
    `${name.first}|${name.last}`,
    ...(number === undefined ? [] : [`#${number}`]),
    ...(groups === undefined ? [] : [`(${groups.join(', ')})`]),
    ...(person === undefined ? [] : [`=${person}`]),
  ]
    .join(' ')
    .trim();
}

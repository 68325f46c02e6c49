import { expect } from 'chai';
import { strFromU8, Unzip, UnzipInflate } from 'fflate';
import { writeXlsx, type Sheet } from '../src/index.js';
import { textSheet } from './sheets.js';

/** Maximum number of rows in a sheet of Excel. */
const MOST = 1_048_576;

/** Beginning and end of each part of a workbook. */
async function endsOf(sheet: Sheet): Promise<Readonly<Record<string, readonly [string, string]>>> {
  const ends: Record<string, [string, string]> = {};
  const unzip = new Unzip((part) => {
    part.ondata = (error, bytes) => {
      if (error !== null) throw error;
      const [first, last] = ends[part.name] ?? ['', ''];
      const text = strFromU8(bytes);
      ends[part.name] = [(first + text).slice(0, 4_000), (last + text).slice(-100)];
    };
    part.start();
  });
  unzip.register(UnzipInflate);
  for await (const piece of writeXlsx(sheet, { zone: 'UTC' })) unzip.push(piece);
  return ends;
}

describe('XLSX with more rows than a sheet can have', () => {
  it('continues with a second sheet after the last possible row of the first one', async () => {
    async function* rows(): AsyncGenerator<readonly string[]> {
      for (let row = 2; row <= MOST; row++) yield [];
      yield ['Ada'];
    }
    const parts = await endsOf({ ...textSheet(), rows: rows() });
    const [first, second] = [1, 2].map((number) => parts[`xl/worksheets/sheet${number}.xml`] ?? ['', '']);
    expect(first?.[1]).to.match(new RegExp(`<row r="${MOST}"></row></sheetData></worksheet>$`));
    expect(first?.[0]).to.not.include('Ada');
    expect(second?.[0]).to.match(/<row r="1">.*>Text<.*<\/row><row r="2">.*>Ada<.*<\/row><\/sheetData>/);
    expect(parts).to.not.have.property('xl/worksheets/sheet3.xml');
    expect(parts['xl/workbook.xml']?.[0].match(/<sheet /g)).to.have.lengthOf(2);
  });
});

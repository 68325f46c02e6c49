import { expect } from 'chai';
import { BACKUP_VERSION } from '../../packages/domain/src/record/backup/backup.js';
import { storageFormat } from '../../packages/store-level/src/rows/format-row.js';
import { latestFormat } from '../../packages/store-postgres/src/schema/format.js';
import { tableRows } from './fixtures/table-rows.js';
import { read } from './fixtures/read-project.js';

describe('the formats', () => {
  const [first = ''] = read('docs/reference/formats.md').split(/^## /m);
  const numbers = new Map(tableRows(first).map(([format = '', number = '']) => [format, number]));

  for (const [format, number] of [
    ['store (LevelDB)', storageFormat.version],
    ['database (PostgreSQL)', latestFormat()],
    ['backup', BACKUP_VERSION],
  ] as const) {
    it(`have the number of the code in the reference: ${format}`, () => {
      expect(numbers.get(format)).to.equal(String(number));
    });
  }
});

describe('the oldest versions', () => {
  const oldest = new Map(
    tableRows(read('docs/reference/stable.md')).map(([part = '', version = '']) => [part, version]),
  );

  it('of Node is that of the packages', () => {
    const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };
    expect(`>=${oldest.get('Node')}`).to.equal(engines.node);
  });

  it('of TypeScript is the one that a test compiles with', () => {
    const { devDependencies } = JSON.parse(read('packages/client/package.json')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    expect(devDependencies['typescript']?.startsWith(`${oldest.get('TypeScript')}.`)).to.equal(true);
  });
});

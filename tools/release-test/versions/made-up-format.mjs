// A made-up next version of the program: the sources of this one, with another format of the store and of the database.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Format 2 of the store has the names as lists, and only so. */
const store = [
  {
    file: 'packages/store-level/src/rows/codec.ts',
    from: 'return Buffer.from(JSON.stringify({ first, last }));',
    to: 'return Buffer.from(JSON.stringify({ name: [first, last] }));',
  },
  {
    file: 'packages/store-level/src/rows/codec.ts',
    from: 'return parseKeptName(parseJson(value));',
    to: 'const [first, last] = parseJson(value).name; return parseKeptName({ first, last });',
  },
  {
    file: 'packages/store-level/src/rows/format-row.ts',
    from: "import { seal } from './seal.js';",
    to: "import { seal, unseal } from './seal.js';",
  },
  {
    file: 'packages/store-level/src/rows/format-row.ts',
    from: '{ version: 1, migrations: [] }',
    to: `{
      version: 2,
      migrations: [{
        version: 2,
        batches: async function* (raw) {
          for await (const [key, sealed] of raw.iterator({ gte: Buffer.of(1), lt: Buffer.of(2) })) {
            const { first, last, name = [first, last] } = JSON.parse(unseal(key, sealed).toString());
            yield raw.batch().put(key, seal(key, Buffer.from(JSON.stringify({ name }))));
          }
        },
      }],
    }`,
  },
];

/** Format 2 of the database has another column, which servers of format 1 neither read nor write. */
const database = [
  {
    file: 'packages/store-postgres/src/schema/migrations.ts',
    from: '{ format: 1, compatible: 1, statements: [...recordTables, ...serviceTables, ...syncTables] },',
    to: `{ format: 1, compatible: 1, statements: [...recordTables, ...serviceTables, ...syncTables] },
      {
        format: 2,
        compatible: 1,
        statements: [
          'ALTER TABLE tallybook.name ADD COLUMN IF NOT EXISTS initial text',
          'UPDATE tallybook.name SET initial = left(first, 1) WHERE initial IS NULL',
        ],
      },`,
  },
];

/** Changes the sources in a folder. Throws if a place is not there exactly once. */
export function applyMadeUpFormat(folder) {
  for (const { file, from, to } of [...store, ...database]) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(from);
    if (parts.length !== 2) {
      throw new Error(
        `${file} has ${parts.length - 1} times: ${from}\nadapt tools/release-test/versions/made-up-format.mjs`,
      );
    }
    writeFileSync(path, parts.join(to));
  }
}

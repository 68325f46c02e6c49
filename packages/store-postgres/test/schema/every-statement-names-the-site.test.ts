import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../src/schema/migrations.js';

const source = join(import.meta.dirname, '../../src');
/** The table that is not of a site, and statements about all sites. */
const EXEMPT = /tallybook\.format\b|^(?:CREATE|ALTER) /;

/** The SQL in the sources, as it is written there. */
function statements(): readonly (readonly [file: string, sql: string])[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const strings = [...text.matchAll(/`([^`]*)`|'((?:SELECT|INSERT|UPDATE|DELETE)[^'\n]*)'/g)];
    return strings
      .map(([, template, plain]) => (template ?? plain ?? '').trim())
      .filter((sql) => /^(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(sql) && sql.includes('tallybook.'))
      .filter((sql) => !EXEMPT.test(sql))
      .map((sql) => [file, sql] as const);
  });
}

describe('On a database with a node for each site', () => {
  it('each statement is for one site, so that one node runs it', () => {
    const all = statements();
    assert.ok(all.length > 60, String(all.length));
    const others = all.filter(
      ([, sql]) =>
        !/\bsite = \$1\b/.test(sql) &&
        !/^INSERT INTO tallybook\.(?:\w+|\$\{table\})(?: AS e)? \(site, [\s\S]*?(?:SELECT|VALUES \() ?\$1\b/.test(
          sql,
        ),
    );
    assert.deepEqual(others, []);
  });

  it('each key begins with the site', () => {
    const keys = migrations
      .flatMap((migration) => migration.statements)
      .filter((sql) => sql.startsWith('CREATE'))
      .flatMap((sql) => [
        ...sql.matchAll(/(?:PRIMARY KEY|UNIQUE) \([^)]*\)|\w+ \w+ PRIMARY KEY|ON tallybook\.\w+ \([^)]*\)/g),
      ])
      .map(([key]) => key);
    assert.ok(keys.length > 15, String(keys.length));
    const others = keys.filter((key) => !/(?:\(site\b|^site text PRIMARY KEY$)/.test(key));
    assert.deepEqual(others, []);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { migrations } from '../../src/schema/migrations.js';

const guide = new URL('../../../../docs/how-to/when-one-machine-is-not-enough.md', import.meta.url);

describe('The guide for Citus', () => {
  it('distributes every table by site, all on the node of their site', () => {
    const tables = migrations
      .flatMap(({ statements }) => statements)
      .flatMap((sql) => /^CREATE TABLE IF NOT EXISTS (tallybook\.\w+)/.exec(sql)?.[1] ?? []);
    const expected = tables.map((table) =>
      table === 'tallybook.site'
        ? `SELECT create_distributed_table('${table}', 'site');`
        : `SELECT create_distributed_table('${table}', 'site', colocate_with => 'tallybook.site');`,
    );
    const lines = readFileSync(guide, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('SELECT create_distributed_table'));
    assert.deepEqual(lines, expected);
  });
});

import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

describe('The rules for devices', () => {
  const rules = read('docs/how-to/99-tallybook.rules');
  const groups = [...rules.matchAll(/^SUBSYSTEM=="(\w+)".*GROUP="(\w+)"/gm)];

  it('leave the pins to the group of Raspberry Pi OS, so that other programs keep them', () => {
    expect(groups.filter(([, subsystem]) => subsystem === 'gpio').map(([, , group]) => group)).to.deep.equal([
      'gpio',
    ]);
  });

  it('only give rights: on a PC, the same reader goes on typing into other programs', () => {
    const lines = rules.split('\n').filter((line) => /^[^#]/.test(line));
    const assigned = lines
      .flatMap((line) => [...line.matchAll(/(?<=^|, )([^=,]+)="/g)])
      .map(([, key]) => key);
    expect([...new Set(assigned)]).to.deep.equal(['GROUP', 'MODE']);
  });

  it('name only groups that the user of the package is in', () => {
    const members = read('packaging/debian/sysusers.conf').matchAll(/^m tallybook (\w+)$/gm);
    expect(['tallybook', ...[...members].map(([, group]) => group)]).to.include.members(
      groups.map(([, , group]) => group),
    );
  });
});

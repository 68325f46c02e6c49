import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { read } from './fixtures/read-project.js';

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

describe('The rule of polkit in the package', () => {
  type Rule = (action: { readonly id: string }, subject: { readonly user: string }) => string | undefined;
  const rules: Rule[] = [];
  const polkit = { addRule: (rule: Rule) => rules.push(rule), Result: { YES: 'yes' } };
  runInNewContext(read('packaging/debian/polkit.rules'), { polkit });
  const ask = (id: string, user: string): readonly (string | undefined)[] =>
    rules.map((rule) => rule({ id }, { user }));

  it('lets the user of the service use cards, that user alone, and nothing else', () => {
    const [pcsc, card] = ['org.debian.pcsc-lite.access_pcsc', 'org.debian.pcsc-lite.access_card'];
    expect([...ask(pcsc, 'tallybook'), ...ask(card, 'tallybook')]).to.deep.equal(['yes', 'yes']);
    expect([...ask(pcsc, 'ada'), ...ask('org.freedesktop.login1.reboot', 'tallybook')]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });
});

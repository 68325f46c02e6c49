import { expect } from 'chai';
import { call } from '../../fixtures/processes/called.js';

/** The commands that a help lists. */
function commandsIn(help: string): readonly string[] {
  const [, listed = ''] = /^Commands:\n((?: {2}.*\n?)+)/m.exec(help) ?? [];
  return [...listed.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

/** Commands and options without a description in a help text. Arguments may have none. */
function unsaidIn(help: string): readonly string[] {
  return help
    .split(/^(?=[A-Z][a-z]+:\n)/m)
    .filter((section) => /^(?:Options|Commands):/.test(section))
    .flatMap((section) => section.split(/\n(?= {2}\S)/).slice(1))
    .filter((item) => !/^ {2}\S.*?(?: {2,}|\n {3,})[a-zA-Z]/s.test(item));
}

/** The help texts of a command and of all its subcommands, by name. */
async function helpsOf(...names: readonly string[]): Promise<readonly (readonly [string, string])[]> {
  const { output } = await call(...names, '--help');
  const below: (readonly [string, string])[] = [];
  for (const name of commandsIn(output)) below.push(...(await helpsOf(...names, name)));
  return [[names.join(' '), output], ...below];
}

describe('The help of the commands', () => {
  it('describes each option and each command', async () => {
    const helps = await helpsOf();
    expect(helps.map(([name]) => name)).to.include.members(['', 'serve', 'copy', 'user add', 'token revoke']);
    for (const [name, help] of helps) {
      expect(unsaidIn(help), `tallybook ${name}`).to.deep.equal([]);
      expect(help, `tallybook ${name}`).to.match(/^Usage: .*\n\n[a-zA-Z].*\n/);
    }
  });
});

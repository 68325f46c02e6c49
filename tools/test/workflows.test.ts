import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const folder = new URL('.github/workflows/', root);
const workflows = readdirSync(folder).map((file) => ({
  file,
  text: readFileSync(new URL(file, folder), 'utf8'),
}));
const linesWith = (pattern: RegExp): readonly string[] =>
  workflows.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );

describe('The workflows', () => {
  it('use actions by the hash of their commit, because a tag can be moved', () => {
    const used = linesWith(/\buses:/);
    expect(used).not.to.be.empty;
    expect(used.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).to.be
      .empty;
  });

  it('have no rights that they do not ask for, and write only where they publish', () => {
    for (const { file, text } of workflows) {
      expect(text, file).to.match(/^permissions:(?: \{\}|\n {2}contents: read)\n\n/m);
    }
    expect(linesWith(/: write\b/)).to.deep.equal([
      'release.yml: contents: write',
      'release.yml: id-token: write',
    ]);
  });

  it('have no secret', () => {
    expect(linesWith(/\bsecrets\b/)).to.deep.equal([]);
  });

  it('run no commands but those that people run', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = linesWith(/\bnpm run /).map((line) => / npm run ([\w:-]+)/.exec(line)?.[1] ?? line);
    expect(named).not.to.be.empty;
    expect(named.filter((name) => !(name in scripts))).to.deep.equal([]);
  });
});

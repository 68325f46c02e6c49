import { execFile } from 'node:child_process';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../../packages/server/test/fixtures/temporary-folder.js';
import { listManifests, readChangeset, readChangesets, readManifest } from '../changesets.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const VERSION_FILE = 'packages/http-koa/src/version.ts';
const DATE_FILE = 'packages/server/src/config/released-at.ts';

const versionIn = (folder: string, file: string): string =>
  (readManifest(folder, file) as { readonly version: string }).version;

describe('The version', () => {
  it('is the same in all packages, in the document of the interface, and at the top of the changelog', async () => {
    const versions = listManifests(root).map((file) => versionIn(root, file));
    const { 0: version, length } = [...new Set(versions)];
    expect(length).to.equal(1);
    expect(await readFile(join(root, VERSION_FILE), 'utf8')).to.include(`'${version}'`);
    const [, newest] = /^## (\S+)/m.exec(await readFile(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
    expect(newest).to.equal(version);
  });
});

describe('A changeset', () => {
  const packages = ['@tallybook/domain', '@tallybook/web'];
  const read = (text: string): ReturnType<typeof readChangeset> => readChangeset('a.md', text, packages);

  it('of this checkout names its packages and its audiences', () => {
    expect(() => readChangesets(root)).not.to.throw();
  });

  it('has the largest of its bumps, and paragraphs for audiences', () => {
    const head = `---\n'@tallybook/domain': patch\n'@tallybook/web': minor\n---\n\n`;
    expect(read(`${head}**Apps**: one is\nnew.\n\n**Operators**: two.\n\n**Apps**: three.\n`)).to.deep.equal({
      bump: 'minor',
      notes: { Operators: ['Two.'], Apps: ['One is\nnew.', 'Three.'], 'Adapter authors': [] },
    });
  });

  const head = `---\n'@tallybook/web': minor\n---\n\n`;
  for (const [what, text, problem] of [
    ['without packages', '**Apps**: new.', /does not begin with ---/],
    ['of an unknown package', `---\n'@tallybook/wep': minor\n---\n\n**Apps**: new.`, /@tallybook\/wep/],
    ['of an unknown bump', `---\n'@tallybook/web': big\n---\n\n**Apps**: new.`, /has big/],
    ['without an audience', `${head}It is new.`, /does not begin with \*\*Operators/],
    ['of an unknown audience', `${head}**Users**: new.`, /does not begin with/],
    ['with a paragraph without one', `${head}**Apps**: new.\n\nMore.`, /does not begin with/],
    ['without text', head, /does not begin with/],
  ] as const) {
    it(`${what} is refused`, () => {
      expect(() => read(text)).to.throw(problem);
    });
  }
});

describe('npm run version-packages', () => {
  const folder = temporaryFolder();
  beforeEach(async () => {
    const files = [...listManifests(root), VERSION_FILE, DATE_FILE, 'CHANGELOG.md', '.changeset/README.md'];
    await Promise.all(files.map((file) => cp(join(root, file), folder.path(file))));
    for (const file of [...listManifests(root), VERSION_FILE]) {
      const text = await readFile(folder.path(file), 'utf8');
      await writeFile(folder.path(file), text.replace(/\d+\.\d+\.\d+(?=["'])/, '0.1.4'));
    }
  });

  const run = (): Promise<unknown> =>
    promisify(execFile)(process.execPath, [join(root, 'tools/version-packages.mjs'), folder.path()]);

  for (const [bump, next] of [
    ['patch', '0.1.5'],
    ['minor', '0.2.0'],
    ['major', '1.0.0'],
  ] as const) {
    it(`gives all packages the version ${next} after 0.1.4 and a ${bump} of one`, async () => {
      await plant('a', `'@tallybook/domain': ${bump}`, '**Apps**: new.');
      await run();
      const versions = listManifests(folder.path()).map((file) => versionIn(folder.path(), file));
      expect([...new Set(versions)]).to.deep.equal([next]);
      expect(await readFile(folder.path(VERSION_FILE), 'utf8')).to.include(`'${next}'`);
      const [date] = /\d{4}-\d{2}-\d{2}(?=T00)/.exec(await readFile(folder.path(DATE_FILE), 'utf8')) ?? [];
      expect(await readFile(folder.path('CHANGELOG.md'), 'utf8')).to.include(`\n## ${next} (${date})\n`);
    });
  }

  it('writes the changelog by audience, above the older versions, and removes the changesets', async () => {
    await plant('b', `'@tallybook/web': patch`, '**Adapter authors**: two\nlines.\n\n**Operators**: one.');
    await plant('a', `'@tallybook/domain': minor`, '**Operators**: zero.');
    await run();
    const changelog = await readFile(folder.path('CHANGELOG.md'), 'utf8');
    expect(changelog).to.match(
      /^# Changelog\n[^#]+## 0\.2\.0 \(\S+\)\n\n### Operators\n\n- Zero\.\n- One\.\n\n### Adapter authors\n\n- Two\n {2}lines\.\n\n## 0\./,
    );
    expect(await readdir(folder.path('.changeset'))).to.deep.equal(['README.md']);
  });

  it('fails, and changes nothing, without a changeset', async () => {
    const before = await readFile(folder.path('CHANGELOG.md'), 'utf8');
    await run().then(
      () => expect.fail('it succeeded'),
      (error: unknown) =>
        expect(error).to.include({
          code: 1,
          stderr: 'There is no changeset, so there is nothing to release.\n',
        }),
    );
    expect(await readFile(folder.path('CHANGELOG.md'), 'utf8')).to.equal(before);
  });

  async function plant(name: string, head: string, body: string): Promise<void> {
    await writeFile(folder.path(`.changeset/${name}.md`), `---\n${head}\n---\n\n${body}\n`);
  }
});

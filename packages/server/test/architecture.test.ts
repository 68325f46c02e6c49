import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';

const root = new URL('../../../', import.meta.url);

/** Imports between packages in the sources, such as `server --> domain`. */
function importsOfSources(): string[] {
  const edges = new Set<string>();
  for (const entry of readdirSync(new URL('packages', root), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const { name } = entry;
    const sources = new URL(`packages/${name}/src/`, root);
    for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file)) continue;
      const text = readFileSync(new URL(file, sources), 'utf8');
      for (const [, imported] of text.matchAll(/(?:from |import |import\()'@tallybook\/([a-z-]+)['/]/g)) {
        edges.add(`${name} --> ${imported}`);
      }
    }
  }
  return [...edges].sort();
}

/** The arrows of the diagram on a page. */
function arrowsOf(page: string): string[] {
  const text = readFileSync(new URL(page, root), 'utf8');
  const picture = /```mermaid\nflowchart(.*?)```/s.exec(text)?.[1] ?? '';
  return picture
    .split('\n')
    .filter((line) => line.includes('-->'))
    .flatMap((line) => {
      const [from = [], to = []] = line
        .split('-->')
        .map((side) => side.split('&').map((name) => name.trim()));
      return from.flatMap((each) => to.map((other) => `${each} --> ${other}`));
    })
    .sort();
}

describe('the picture of the packages', () => {
  it('shows each import between packages, and no other', () => {
    expect(arrowsOf('docs/explanation/why-ports.md')).to.deep.equal(importsOfSources());
  });
});

describe('the list of folders', () => {
  const page = readFileSync(new URL('docs/explanation/why-ports.md', root), 'utf8');

  it('has each folder of the sources, and no other', () => {
    const listed = [...page.matchAll(/^\| `([a-z-]+(?:\/[a-z0-9-]+)*)` +\|/gm)].map(([, folder]) => folder);
    const folders = readdirSync(new URL('packages', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) =>
        readdirSync(new URL(`packages/${name}/src/`, root), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath }) =>
            parentPath
              .split('/packages/')
              .at(-1)
              ?.replace(/\/src\b\/?/, '/')
              .replace(/\/$/, ''),
          ),
      );
    expect(listed).to.have.members([...new Set(folders)]);
  });
});

/** The TypeScript files of a folder of packages, and their texts. */
function sourcesOf(folder: string): ReadonlyMap<string, string> {
  const url = new URL(`packages/${folder}/`, root);
  const files = readdirSync(url, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return new Map(files.map((file) => [file, readFileSync(new URL(file, url), 'utf8')]));
}

/** Ports by the names of their files: `record/day-store.ts` has `DayStore`. */
function listPorts(): string[] {
  const files = [...sourcesOf('domain/src')].filter(([file]) => /(?:^|\/)ports\//.test(file));
  return files.flatMap(([file, text]) => {
    const name = basename(file, '.ts').replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    return text.includes(`export interface ${name} `) ? [name] : [];
  });
}

/** Classes of a package with the interface that they implement: `DayStore: LevelDayStore`. */
const implementationsOf = (name: string): string[] =>
  [...sourcesOf(`${name}/src`).values()].flatMap((text) =>
    [...text.matchAll(/^export class (\w+)[^{]* implements (\w+)/gm)].map(
      ([, its, port]) => `${port}: ${its}`,
    ),
  );

describe('the table of ports', () => {
  const page = readFileSync(new URL('docs/explanation/why-ports.md', root), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\|[^|]*\|([^|]*)\|$/gm)];
  const ports = listPorts();

  it('has each port of the domain, and no other', () => {
    expect(rows.map(([, port]) => port)).to.have.members(ports);
  });

  it('has each class of an adapter that implements a port', () => {
    const listed = rows.flatMap(([, port, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, its]) => `${port}: ${its}`),
    );
    const adapters = readdirSync(new URL('packages', root), { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && !/^(?:domain|testing|store-memory|server|web)$/.test(entry.name),
      )
      .flatMap(({ name }) => implementationsOf(name))
      .filter((each) => ports.includes(each.split(':')[0] ?? ''));
    expect(adapters).to.have.length.above(20);
    expect(listed).to.include.members(adapters);
  });
});

describe('The settings and the wiring of the server', () => {
  /** The list of the adapters that the program brings along, and what it is made of. */
  const LIST = /^config\/own-[a-z]+\.ts$/;
  const PACKAGES = /'@tallybook\/(?:readers|outputs|store-level|store-postgres|identity-oidc)'/;
  const NAMES =
    /\b(?:serial|wiegand|hid|mqtts?|pcsc|stdin|simulated|gpio|level|memory|postgres(?:ql)?):|oidc|leveldb|postgresql|rdm6300/i;

  /** Lines of code, without comments, that name an adapter. */
  const naming = (text: string): readonly string[] =>
    text
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && (PACKAGES.test(line) || NAMES.test(line)));

  it('name no single adapter outside of the list of those that the program brings along', () => {
    const found = ['config', 'wiring'].flatMap((room) =>
      [...sourcesOf(`server/src/${room}`)]
        .filter(([file]) => !LIST.test(`${room}/${file}`))
        .flatMap(([file, text]) => naming(text).map((line) => `${room}/${file}: ${line.trim()}`)),
    );
    expect(found).to.deep.equal([]);
  });

  it('would be found with a scheme, a package or a setting of one', () => {
    const lines = [
      "if (url.startsWith('stdin:')) wait();",
      "import { LevelStorage } from '@tallybook/store-level';",
      'const { oidcIssuer } = config;',
    ];
    expect(naming(lines.join('\n'))).to.deep.equal(lines);
    expect(naming('// stdin: is the terminal')).to.deep.equal([]);
  });
});

// Writes the public interface of each entrance of each package to packages/X/*.api.md. These reports are in the repository, so
// that a change shows in the diff. `npm run api` writes them from the last compiled code. With --check, it fails if a report has
// changed. In any case it fails if an entrance exports more names than its budget.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import ts from 'typescript';
import { namesOf, withCount, withoutKnown } from './api-names.mjs';
import { entrancesOf, isLibrary, publicFolders, readManifest, root } from './packing.mjs';

/** The most names of an entrance. Whoever needs one more looks first which one can go. */
const BUDGETS = {
  '@tallybook/domain': 180,
  '@tallybook/domain/record': 120,
  '@tallybook/domain/access': 72,
  '@tallybook/domain/personal': 21,
  '@tallybook/domain/sync': 48,
};

const isCheck = process.argv.includes('--check');
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-api-'));
try {
  const folders = publicFolders().filter(isLibrary);
  const reports = groupByOptions(folders).flatMap((group) => makeReports(group));
  for (const { file, text } of reports) {
    if (existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') === text) continue;
    console.log(`${file} ${isCheck ? 'is out of date: run "npm run api"' : 'is written'}`);
    if (isCheck) process.exitCode = 1;
    else writeFileSync(join(root, file), text);
  }
  for (const { name, count } of reports.filter(({ name, count }) => count > BUDGETS[name])) {
    console.log(
      `${name} exports ${count} names: more than its ${BUDGETS[name]}, see ${basename(import.meta.url)}`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true });
}

/** Groups packages with the same compiler options, so that their common imports are read only once. */
function groupByOptions(folders) {
  const groups = new Map();
  for (const folder of folders) {
    const { config, error } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
    if (error !== undefined) throw new Error(`${folder}: ${error.messageText}`);
    const options = JSON.stringify(config.compilerOptions ?? {});
    groups.set(options, [...(groups.get(options) ?? []), folder]);
  }
  return [...groups.values()];
}

/** The reports of all entrances of a group of packages. */
function makeReports(folders) {
  const configs = folders.map((folder) => entrancesOf(folder).map((entrance) => configOf(folder, entrance)));
  const [first, ...others] = configs.flat();
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  return folders.flatMap((folder, index) => {
    const known = new Set();
    return entrancesOf(folder).map((entrance, n) => {
      const config = configs[index][n];
      const report = withoutKnown(reportOf(config, compilerState), known);
      const names = namesOf(report);
      for (const name of names) known.add(name);
      const name = join(readManifest(folder).name, entrance);
      return {
        name,
        file: join('packages', basename(folder), basename(config.reportFilePath)),
        count: names.length,
        text: name in BUDGETS ? withCount(report, names.length) : report,
      };
    });
  });
}

function configOf(folder, entrance) {
  const { types } = readManifest(folder).exports[entrance];
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, types),
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: join(folder, 'tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFileName: `${[basename(folder), ...entrance.split('/').slice(1)].join('-')}.api.md`,
        reportFolder: scratch,
        reportTempFolder: join(scratch, 'temp'),
        // Unexported types that exported ones use are part of the interface too.
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  });
}

function reportOf(config, compilerState) {
  const messageCallback = (message) => {
    // Shows only errors of types, not the progress or changed reports.
    message.handled = message.category !== 'Compiler';
  };
  Extractor.invoke(config, { compilerState, localBuild: true, messageCallback });
  return readFileSync(config.reportFilePath, 'utf8');
}

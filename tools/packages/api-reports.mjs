// Writes the public interface of each package to packages/X/X.api.md. These reports are in the repository, so that a
// change shows in the diff. `npm run api` writes them from the last compiled code. With --check, it fails if a report
// has changed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import ts from 'typescript';
import { isLibrary, publicFolders } from './packing.mjs';

const isCheck = process.argv.includes('--check');
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-api-'));
try {
  const folders = publicFolders().filter(isLibrary);
  const stale = groupByOptions(folders).flatMap((group) => findChanged(group, scratch));
  for (const folder of stale) {
    const name = basename(folder);
    console.log(
      `packages/${name}/${name}.api.md ${isCheck ? 'is out of date: run "npm run api"' : 'is written'}`,
    );
  }
  if (isCheck && stale.length > 0) process.exitCode = 1;
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

/** The packages of a group whose report has changed. */
function findChanged(folders, reportTempFolder) {
  const configs = folders.map((folder) => configOf(folder, reportTempFolder));
  const [first, ...others] = configs;
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  return folders.filter((_folder, index) => reportHasChanged(configs[index], compilerState));
}

function configOf(folder, reportTempFolder) {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, 'dist/index.d.ts'),
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: join(folder, 'tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFileName: `${basename(folder)}.api.md`,
        reportFolder: folder,
        reportTempFolder,
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

function reportHasChanged(config, compilerState) {
  const messageCallback = (message) => {
    // Shows only errors of types, not the progress or changed reports.
    message.handled = message.category !== 'Compiler';
  };
  return Extractor.invoke(config, { compilerState, localBuild: !isCheck, messageCallback }).apiReportChanged;
}

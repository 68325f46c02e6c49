// What each package offers to be imported, as packages/X/X.api.md: checked in, so that a change shows in the diff. `npm run api` writes
// the reports from what was compiled last; with --check it fails if one of them is another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { isLibrary, publicFolders } from './packing.mjs';

const isCheck = process.argv.includes('--check');
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-api-'));
try {
  const stale = publicFolders()
    .filter(isLibrary)
    .filter((folder) => reportHasChanged(folder, scratch));
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

function reportHasChanged(folder, reportTempFolder) {
  const config = ExtractorConfig.prepare({
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
        // What is not exported, though what is exported is made of it, changes the interface as well.
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
  const messageCallback = (message) => {
    // Wrong types are said; how it goes, and that a report has changed, is not.
    message.handled = message.category !== 'Compiler';
  };
  return Extractor.invoke(config, { localBuild: !isCheck, messageCallback }).apiReportChanged;
}

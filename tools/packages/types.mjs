// Whether the types of a package that was packed are found where its code is, by everybody who can import it.
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemKindInfo } from '@arethetypeswrong/core/problems';

/** Ways of importing that a package of ES modules alone does not support. */
const NOT_FOR_US = ['node10', 'node16-cjs'];

/** @returns One line for each thing that is wrong. */
export async function findWrongTypes(name, tarball) {
  const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (types === false) return [`${name} has no types`];
  return problems
    .filter(({ resolutionKind }) => !NOT_FOR_US.includes(resolutionKind))
    .map(({ kind, entrypoint = '.', resolutionKind = 'all' }) => {
      const { shortDescription } = problemKindInfo[kind];
      return `${name}, ${entrypoint}, ${resolutionKind}: ${shortDescription}`;
    });
}

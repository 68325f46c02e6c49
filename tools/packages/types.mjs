// Checks that importers of a packed package find its types together with its code.
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemKindInfo } from '@arethetypeswrong/core/problems';

/** Ways of importing that a package with only ES modules does not support. */
const NOT_FOR_US = ['node10', 'node16-cjs'];

/** @returns One line for each error. */
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

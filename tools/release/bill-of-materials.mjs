// Lists what an installation consists of, for programs that look for known vulnerabilities: CycloneDX, in JSON.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readManifest } from '../packages/packing.mjs';
import { readLicenses } from '../third-party-licenses.mjs';

/**
 * @param folder A folder of `makeProgramFolder`.
 * @param node The version of the Node in it.
 * @param time Seconds since 1970.
 */
export function billOfMaterials(folder, { version, node, time }) {
  const packages = [...bundledPackages(folder), ...installedPackages(folder)].map(componentOf);
  const sorted = [...new Map(packages.map((each) => [each['bom-ref'], each]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, component]) => component);
  const components = [nodeComponent(node), ...sorted];
  const program = { type: 'application', ...componentOf({ name: 'tallybook', version, license: 'MIT' }) };
  const content = {
    metadata: { timestamp: new Date(time * 1000).toISOString(), component: program },
    components,
    dependencies: [
      { ref: program['bom-ref'], dependsOn: components.map((each) => each['bom-ref']) },
      ...components.map((each) => ({ ref: each['bom-ref'] })),
    ],
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`;
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, version: 1, ...content };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** The packages inside the program and the page. */
function bundledPackages(folder) {
  const notices = ['program', 'node_modules/@tallybook/web/dist'];
  return notices.flatMap((place) =>
    readLicenses(readFileSync(join(folder, place, 'THIRD-PARTY-NOTICES.txt'), 'utf8')),
  );
}

/** The packages in `node_modules`, with those below others. */
function installedPackages(folder) {
  return readdirSync(join(folder, 'node_modules'), { recursive: true })
    .filter((file) => /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file))
    .map((file) => readManifest(join(folder, 'node_modules', dirname(file))));
}

function componentOf({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  if (license === undefined) throw new Error(`${purl} says nothing of its license`);
  const isExpression = /[ (]/.test(license);
  const licenses = [isExpression ? { expression: license } : { license: { id: license } }];
  return { type: 'library', 'bom-ref': purl, name, version, licenses, purl };
}

function nodeComponent(version) {
  const purl = `pkg:generic/node@${version}`;
  const cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`;
  // The licenses of its parts are in the file LICENSE.node.
  const licenses = [{ license: { id: 'MIT' } }];
  return { type: 'platform', 'bom-ref': purl, name: 'node', version, licenses, cpe, purl };
}

/** A UUID that is the same for the same text. */
function uuidOf(text) {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80; // version 8: made from a hash other than SHA-1
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

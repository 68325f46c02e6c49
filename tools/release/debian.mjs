// Makes the package for Debian, Raspberry Pi OS and Ubuntu with dpkg-deb.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages/packing.mjs';
import { manPage } from './man-page.mjs';
import { names } from './names.mjs';
import { gzip, settle } from './reproducible.mjs';

const packaging = join(root, 'packaging/debian');
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
const SCRIPTS = ['postinst', 'prerm', 'postrm'];
const PLACES = {
  'tallybook.sh': 'usr/bin/tallybook',
  'tallybook.toml': 'etc/tallybook/tallybook.toml',
  'sysusers.conf': 'usr/lib/sysusers.d/tallybook.conf',
  'tmpfiles.conf': 'usr/lib/tmpfiles.d/tallybook.conf',
  'polkit.rules': 'usr/share/polkit-1/rules.d/60-tallybook.rules',
  'lintian-overrides': 'usr/share/lintian/overrides/tallybook',
};

/** @returns The name of the made file. */
export async function makeDebianPackage({ cpu, program, version, time, compression, out, scratch }) {
  const architecture = ARCHITECTURES[cpu];
  const folder = join(scratch, `debian-${cpu}`);
  cpSync(program, join(folder, 'usr/lib/tallybook'), { recursive: true, verbatimSymlinks: true });
  for (const [file, place] of Object.entries(PLACES)) cpSync(join(packaging, file), join(folder, place));
  write(folder, 'usr/lib/systemd/system/tallybook.service', unit());
  write(folder, 'usr/lib/udev/rules.d/99-tallybook.rules', rules());
  write(folder, 'usr/share/doc/tallybook/copyright', copyright());
  write(folder, 'usr/share/doc/tallybook/changelog.gz', gzip(changelog(version, time)));
  const page = await manPage({ version, time, homepage: names().homepage });
  write(folder, 'usr/share/man/man1/tallybook.1.gz', gzip(page));
  const size = sizeOf(folder);
  for (const file of [...SCRIPTS, 'templates']) cpSync(join(packaging, file), join(folder, 'DEBIAN', file));
  write(folder, 'DEBIAN/conffiles', '/etc/tallybook/tallybook.toml\n');
  write(folder, 'DEBIAN/control', control({ version, architecture, size }));
  const programs = ['usr/bin/tallybook', 'usr/lib/tallybook/node', 'usr/lib/tallybook/bin/tallybook.cjs'];
  settle(folder, [...programs, ...SCRIPTS.map((each) => `DEBIAN/${each}`)], time);
  const name = `tallybook_${version}_${architecture}.deb`;
  const options = ['--root-owner-group', '-Zxz', `-z${compression}`, '--threads-max=1', '--build'];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) };
  execFileSync('dpkg-deb', [...options, folder, join(out, name)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return name;
}

/** The unit of the guide, with the places of the package. */
function unit() {
  const guide = readFileSync(join(root, 'docs/how-to/tallybook.service'), 'utf8');
  const start = 'ExecStart=/usr/bin/env node packages/server/bin/tallybook.cjs';
  return replaceEach(guide, [
    ['WorkingDirectory=/opt/tallybook', 'WorkingDirectory=/var/lib/tallybook'],
    [start, 'ExecStart=/usr/lib/tallybook/node /usr/lib/tallybook/bin/tallybook'],
    [
      /# This starts the server itself, not npm[^]*?(?=ExecStart=)/,
      '# The settings of this device are in the file.\n',
    ],
    ['StateDirectoryMode=0700', 'StateDirectoryMode=0700\nCacheDirectory=tallybook\nCacheDirectoryMode=0700'],
  ]);
}

/** The rules of the guide, without what to do with them. */
function rules() {
  return readFileSync(join(root, 'docs/how-to/99-tallybook.rules'), 'utf8').replace(/^[^]*?\n\n/, '');
}

function replaceEach(text, pairs) {
  return pairs.reduce((result, [from, to]) => {
    const next = result.replace(from, to);
    if (next === result) throw new Error(`docs/how-to/tallybook.service has no ${from}`);
    return next;
  }, text);
}

function control({ version, architecture, size }) {
  const { maintainer, homepage } = names();
  return `Package: tallybook
Version: ${version.replace('-', '~')}
Architecture: ${architecture}
Maintainer: ${maintainer}
Homepage: ${homepage}
Section: misc
Priority: optional
Installed-Size: ${Math.ceil(size / 1024)}
Depends: libc6 (>= 2.28), libatomic1, libgcc-s1, libstdc++6, debconf (>= 0.5) | debconf-2.0, systemd
Recommends: procps, udev
Suggests: pcscd, gpiod, evtest
Description: attendance service for small devices
 People tap a tag on a reader. Tallybook records durably who was there on
 which day, and shows it live on a page.
 .
 The package brings its own Node, which updates of other packages do not
 change.
`;
}

function copyright() {
  const { homepage } = names();
  const license = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  return `Tallybook, from ${homepage}

${license}

The licenses of the parts of the program are in /usr/lib/tallybook/program/THIRD-PARTY-NOTICES.txt and in the folders of
/usr/lib/tallybook/node_modules. The licenses of Node are in /usr/lib/tallybook/LICENSE.node.
`;
}

function changelog(version, time) {
  const { maintainer } = names();
  const date = new Date(time * 1000).toUTCString().replace('GMT', '+0000');
  return `tallybook (${version}) stable; urgency=medium\n\n  * Version ${version}.\n\n -- ${maintainer}  ${date}\n`;
}

function write(folder, place, contents) {
  mkdirSync(join(folder, place, '..'), { recursive: true });
  writeFileSync(join(folder, place), contents);
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

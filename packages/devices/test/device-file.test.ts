import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DeviceFile } from '../src/device-file.js';

const HOUR_MS = 3_600_000;

describe('DeviceFile', () => {
  let folder: string;
  let path: string;
  let file: DeviceFile;
  let stop: AbortController;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallybook-device-'));
    path = join(folder, 'device');
    file = new DeviceFile(path);
    stop = new AbortController();
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('is found once when it is there', async () => {
    expect(await file.look()).to.equal(false);
    await writeFile(path, '');
    expect(await file.look()).to.equal(true);
    expect(await file.look()).to.equal(false);
  });

  it('is found again when it has gone and come back between two looks', async () => {
    await writeFile(path, '');
    await file.look();
    const other = join(folder, 'other');
    await writeFile(other, '');
    await rename(other, path);
    expect(await file.look()).to.equal(true);
  });

  it('is not found when it has gone, and is found when it comes back', async () => {
    await writeFile(path, '');
    await file.look();
    await rm(path);
    expect(await file.look()).to.equal(false);
    await writeFile(path, '');
    expect(await file.look()).to.equal(true);
  });

  it('is found again when its rights were changed, as they are after it was made', async () => {
    await writeFile(path, '', { mode: 0o600 });
    await file.look();
    await chmod(path, 0o660);
    expect(await file.look()).to.equal(true);
  });

  it('is what a link leads to, in a folder that comes and goes as well', async () => {
    const linked = new DeviceFile(join(folder, 'serial', 'by-id', 'usb-reader'));
    await writeFile(path, '');
    expect(await linked.look()).to.equal(false);
    await mkdir(join(folder, 'serial', 'by-id'), { recursive: true });
    await symlink(path, join(folder, 'serial', 'by-id', 'usb-reader'));
    expect(await linked.look()).to.equal(true);
    await rm(path);
    expect(await linked.look()).to.equal(false);
    await writeFile(path, '');
    expect(await linked.look()).to.equal(true);
  });

  it('is waited for no longer than until it is there', async () => {
    const waiting = file.waitForAnother(HOUR_MS, stop.signal);
    await writeFile(path, '');
    expect(await waiting).to.equal(true);
  });

  it('is waited for no longer than the given time', async () => {
    await writeFile(path, '');
    await file.look();
    expect(await file.waitForAnother(20, stop.signal)).to.equal(false);
  });

  it('is waited for no longer than its signal allows', async () => {
    const waiting = file.waitForAnother(HOUR_MS, stop.signal).catch((error: unknown) => error);
    stop.abort();
    expect(await waiting).to.have.property('name', 'AbortError');
  });
});

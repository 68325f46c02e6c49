import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempDirectory } from '../../store-level/test/fixtures/temp-directory.js';
import { DeviceFile } from '../src/device-file.js';

const HOUR_MS = 3_600_000;

describe('DeviceFile', () => {
  const folder = useTempDirectory();
  let path: string;
  let file: DeviceFile;
  let stop: AbortController;

  beforeEach(() => {
    path = join(folder.path, 'device');
    file = new DeviceFile(path);
    stop = new AbortController();
  });

  it('is found once when it is there', async () => {
    expect(await file.look()).to.equal(false);
    await writeFile(path, '');
    expect(await file.look()).to.equal(true);
    expect(await file.look()).to.equal(false);
  });

  it('is found again when it was removed and made again between two checks', async () => {
    await writeFile(path, '');
    await file.look();
    const other = join(folder.path, 'other');
    await writeFile(other, '');
    await rename(other, path);
    expect(await file.look()).to.equal(true);
  });

  it('is not found after its removal, and is found when it is made again', async () => {
    await writeFile(path, '');
    await file.look();
    await rm(path);
    expect(await file.look()).to.equal(false);
    await writeFile(path, '');
    expect(await file.look()).to.equal(true);
  });

  it('is found again after a change of its rights, as after its making', async () => {
    await writeFile(path, '', { mode: 0o600 });
    await file.look();
    await chmod(path, 0o660);
    expect(await file.look()).to.equal(true);
  });

  it('is the target of a link, also in a folder that comes and goes', async () => {
    const linked = new DeviceFile(join(folder.path, 'serial', 'by-id', 'usb-reader'));
    await writeFile(path, '');
    expect(await linked.look()).to.equal(false);
    await mkdir(join(folder.path, 'serial', 'by-id'), { recursive: true });
    await symlink(path, join(folder.path, 'serial', 'by-id', 'usb-reader'));
    expect(await linked.look()).to.equal(true);
    await rm(path);
    expect(await linked.look()).to.equal(false);
    await writeFile(path, '');
    expect(await linked.look()).to.equal(true);
  });

  it('ends the wait when it is there', async () => {
    const waiting = file.waitForAnother(HOUR_MS, stop.signal);
    await writeFile(path, '');
    expect(await waiting).to.equal(true);
  });

  it('is waited for during the given time at most', async () => {
    await writeFile(path, '');
    await file.look();
    expect(await file.waitForAnother(20, stop.signal)).to.equal(false);
  });

  it('is no longer waited for after its signal', async () => {
    const waiting = file.waitForAnother(HOUR_MS, stop.signal).catch((error: unknown) => error);
    stop.abort();
    expect(await waiting).to.have.property('name', 'AbortError');
  });
});

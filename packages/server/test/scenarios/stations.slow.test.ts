import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { call } from '../fixtures/processes/called.js';
import { Centre, until } from '../fixtures/processes/centre.js';

const [ADA, GRACE, VISITOR, LATE] = ['04A2B3C4D5', '0011223344', '0102030405', '0102030406'];

describe('A station and its centre, as processes that may end', () => {
  const centre = new Centre();

  it('lose nothing when both are killed while the centre is away', async () => {
    let station = await centre.startStation();
    station.process.tap(ADA);
    await until(async () => (await centre.device.tags()).includes(ADA));
    await centre.device.process.kill();
    station.process.tap(VISITOR);
    await until(async () => (await station.tags()).includes(VISITOR));
    await station.http.putName(ADA, 'Lovelace');
    await until(async () => (await station.upstream()).connection === 'waiting');
    // The answer to the first tap may have been lost at the kill.
    expect((await station.upstream()).waiting).to.be.at.least(2);
    await station.process.kill();
    station = await centre.startStation();
    // The station records taps without the centre.
    station.process.tap(LATE);
    await until(async () => (await station.tags()).includes(LATE));
    await centre.start();
    await until(async () => (await centre.device.tags()).length === 3);
    await until(async () => (await centre.device.http.mapping())[ADA]?.last === 'Lovelace');
    expect((await centre.device.tags()).sort()).to.deep.equal([VISITOR, LATE, ADA].sort());
  });

  it('share records from before they knew each other', async () => {
    await centre.device.http.putName(GRACE, 'Hopper');
    const alone = await centre.startAlone('station', '--port', '0');
    alone.process.tap(ADA);
    await until(async () => (await alone.tags()).includes(ADA));
    await alone.http.putName(ADA, 'Lovelace');
    await alone.process.kill();
    const station = await centre.startStation();
    await until(async () => (await centre.device.tags()).includes(ADA));
    await until(async () => Object.keys(await centre.device.http.mapping()).length === 2);
    await until(async () => Object.keys(await station.http.mapping()).length === 2);
  });

  it('stop for a revoked token, report why, and continue with another one', async () => {
    const id = await centre.makeToken();
    // A service without users accepts requests with an invalid token like any other.
    const inCentre = (...args: readonly string[]): ReturnType<typeof call> =>
      call(...args, '--store', centre.storeOf('centre'));
    expect((await inCentre('user', 'add', 'ada', '--role', 'admin', '--no-password')).exitCode).to.equal(0);
    const station = await centre.startStation();
    await until(async () => (await station.upstream()).connection === 'connected');
    expect((await inCentre('token', 'revoke', id)).exitCode).to.equal(0);
    station.process.tap(ADA);
    await until(async () => (await station.upstream()).lastFault?.code === 'NOT_SIGNED_IN');
    // The request for changes may be refused before the tap is recorded.
    await until(async () => (await station.upstream()).waiting === 1);
    const token = (await readFile(centre.folder.path('token'), 'utf8')).trim();
    expect(station.process.text).to.not.include(token);
    await centre.makeToken();
    await station.process.says(/the centre is reached again/);
    await until(async () => (await station.upstream()).waiting === 0);
  });

  it('stop at once, also while one waits for the other', async () => {
    const station = await centre.startStation();
    await until(async () => (await station.upstream()).connection === 'connected');
    for (const { process } of [centre.device, station]) {
      process.child.kill('SIGTERM');
      expect(await process.exited).to.equal(0);
    }
  });
});

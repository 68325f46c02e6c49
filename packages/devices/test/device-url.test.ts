import { isTallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { DeviceUrl } from '../src/index.js';

describe('DeviceUrl', () => {
  it('has the host and the port of a device that is reached over the network', () => {
    const url = new DeviceUrl('mqtt://broker.local:1884/hall/door');
    expect(url.address).to.equal('broker.local:1884');
    expect(url.path).to.equal('/hall/door');
    url.refuseOthers();
  });

  it('takes an @ that is escaped', () => {
    const url = new DeviceUrl('mqtt://broker/hall%40home?name=a%40b');
    expect([url.path, url.text('name')]).to.deep.equal(['/hall@home', 'a@b']);
  });

  it('refuses a host that nobody asked for', () => {
    expect(() => new DeviceUrl('serial://dev/ttyUSB0').refuseOthers())
      .to.throw('it has the host "dev"; write serial:/… with one slash')
      .with.property('code', 'INVALID_OPTION');
  });

  for (const url of ['mqtt://broker/door/#', 'mqtt://broker/door/#x', 'mqtt://broker/door?name=#']) {
    it(`refuses a # that is not escaped, also with nothing after it: ${url}`, () => {
      expect(() => new DeviceUrl(url))
        .to.throw('it has a #; write %23')
        .with.property('code', 'INVALID_OPTION');
    });
  }

  for (const url of [
    'mqtt://me:secret@broker/t',
    'mqtt://me@broker/t',
    'mqtt://:secret@broker/t',
    'mqtt:me:secret@broker/t',
    // These are no URLs, or others than was meant.
    'mqtt://me:sec#ret@broker/t',
    'mqtt://me:sec/ret@broker/t',
    'mqtt://me:77/secret@broker/t',
    'mqtt://me:77?secret@broker/t',
  ]) {
    it(`refuses credentials, and does not repeat them: ${url}`, () => {
      try {
        new DeviceUrl(url);
      } catch (error) {
        if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
        expect(error.message).to.contain('URLs are logged').and.not.contain('secret').and.not.contain('me@');
        return;
      }
      throw new Error('it was taken');
    });
  }
});

import { expect } from 'chai';
import { DeviceUrl, readBroker, readTopic, type Broker } from '../../src/index.js';

function read(text: string): Broker {
  const url = new DeviceUrl(text);
  const broker = readBroker(url);
  url.refuseOthers();
  return broker;
}

describe('readBroker', () => {
  it('takes the usual ports, and others', () => {
    expect(read('mqtt://broker.local/a')).to.include({ host: 'broker.local', port: 1883, isSecure: false });
    expect(read('mqtts://broker.local/a')).to.include({ host: 'broker.local', port: 8883, isSecure: true });
    expect(read('mqtt://10.0.0.1:9/a')).to.include({ host: '10.0.0.1', port: 9 });
    expect(read('mqtts://[fe80::1]:99/a')).to.include({ host: 'fe80::1', port: 99 });
    expect(read('mqtt://[::1]')).to.include({ host: '::1', port: 1883 });
  });

  it('takes the client id and the names of files', () => {
    expect(read('mqtt://b/a?client=door-1&credentials=/run/mqtt')).to.include({
      clientId: 'door-1',
      credentialsFile: '/run/mqtt',
    });
    expect(read('mqtts://b/a?ca=ca.pem&cert=cert.pem&key=key.pem')).to.include({
      caFile: 'ca.pem',
      certFile: 'cert.pem',
      keyFile: 'key.pem',
    });
  });

  const wrong: readonly (readonly [url: string, message: string])[] = [
    ['mqtt:a', 'the URL of a broker is mqtt://HOST/TOPIC or mqtt://HOST:PORT/TOPIC; got the host ""'],
    ['mqtts:///a', 'the URL of a broker is mqtts://HOST/TOPIC'],
    ['mqtt://b:0/a', 'port is a whole number from 1 to 65535; got 0'],
    ['mqtt://b/a?client=', 'client is 1 to 64 characters of ASCII without spaces; got ""'],
    ['mqtt://b/a?client=a%20b', 'client is 1 to 64 characters'],
    [`mqtt://b/a?client=${'a'.repeat(65)}`, 'client is 1 to 64 characters'],
    ['mqtts://b/a?cert=c', 'cert and key are given together'],
    ['mqtts://b/a?key=k', 'cert and key are given together'],
    ['mqtt://b/a?ca=c', 'the parameter "ca" is unknown; allowed are client, credentials'],
    ['mqtt://ada:secret@b/a', 'it has a user or a password'],
  ];
  for (const [url, message] of wrong) {
    it(`refuses ${url.slice(0, 40)}`, () => {
      expect(() => read(url))
        .to.throw(message)
        .with.property('code', 'INVALID_OPTION');
    });
  }
});

describe('readTopic', () => {
  it('takes the path without the slash before it', () => {
    const topics = [
      'mqtt://b/tele/door/SENSOR',
      'mqtt://b//a',
      'mqtt://b/tele/+/%23',
      'mqtt://b',
      'mqtt://b/T%C3%BCr',
    ];
    expect(topics.map((url) => readTopic(new DeviceUrl(url)))).to.deep.equal([
      'tele/door/SENSOR',
      '/a',
      'tele/+/#',
      '',
      'Tür',
    ]);
  });
});

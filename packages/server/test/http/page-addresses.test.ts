import { expect } from 'chai';
import { pageAddresses } from '../../src/http/page.js';

describe('the addresses of the page', () => {
  const interfaceOf = (address: string, family: 'IPv4' | 'IPv6', internal: boolean): object => ({
    address,
    family,
    internal,
  });
  const machine = {
    name: 'tally.fritz.box',
    interfaces: () =>
      ({
        lo: [interfaceOf('127.0.0.1', 'IPv4', true)],
        wlan0: [interfaceOf('192.168.4.1', 'IPv4', false), interfaceOf('fe80::1', 'IPv6', false)],
        gone: undefined,
      }) as never,
  };

  it('are the address of the server, if it is one', () => {
    expect(pageAddresses('http://127.0.0.1:8080', { host: '127.0.0.1' }, machine)).to.deep.equal([
      'http://127.0.0.1:8080/',
    ]);
  });

  it('have the port in them, also if it is the usual one', () => {
    const [address] = pageAddresses('http://0.0.0.0:80', { host: '0.0.0.0' }, machine);
    expect(address).to.equal('http://192.168.4.1:80/');
  });

  it('begin with https if the server has a certificate', () => {
    expect(pageAddresses('https://0.0.0.0:443', { host: '0.0.0.0' }, machine)).to.deep.equal([
      'https://192.168.4.1:443/',
      'https://tally.local:443/',
    ]);
  });

  it('begin with the public URL, and with the names of a certificate', () => {
    const told = { publicUrl: 'https://tally.example/', allowedHosts: ['tally.example.org'] };
    expect(pageAddresses('https://0.0.0.0:8443', { host: '0.0.0.0', ...told }, machine)).to.deep.equal([
      'https://tally.example/',
      'https://tally.example.org:8443/',
      'https://192.168.4.1:8443/',
      'https://tally.local:8443/',
    ]);
    expect(pageAddresses('http://127.0.0.1:8080', { host: '127.0.0.1', ...told }, machine)).to.deep.equal([
      'https://tally.example/',
      'http://127.0.0.1:8080/',
    ]);
  });

  it('are listed once each, also if the public URL is that of the server', () => {
    for (const [publicUrl, url] of [
      ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['http://LOCALHOST/', 'http://localhost:80'],
    ] as const) {
      const { hostname: host } = new URL(url);
      expect(pageAddresses(url, { host, publicUrl }, machine)).to.deep.equal([publicUrl]);
    }
    const told = { publicUrl: 'https://tally.local:8443/', allowedHosts: ['tally.local'] };
    expect(pageAddresses('https://0.0.0.0:8443', { host: '0.0.0.0', ...told }, machine)).to.deep.equal([
      'https://tally.local:8443/',
      'https://192.168.4.1:8443/',
    ]);
    // Another path is another page.
    const below = { host: '127.0.0.1', publicUrl: 'http://127.0.0.1:8080/tally/' };
    expect(pageAddresses('http://127.0.0.1:8080', below, machine)).to.have.lengthOf(2);
  });

  it('are unchanged if the name of the machine gives no URL', () => {
    expect(
      pageAddresses('http://0.0.0.0:8080', { host: '0.0.0.0' }, { ...machine, name: 'a b%' }),
    ).to.include('http://a b%.local:8080/');
  });

  for (const host of ['0.0.0.0', '::']) {
    it(`are those for other machines, if it listens on ${host}`, () => {
      expect(pageAddresses(`http://localhost:8080`, { host }, machine)).to.deep.equal([
        'http://192.168.4.1:8080/',
        'http://tally.local:8080/',
      ]);
    });
  }
});

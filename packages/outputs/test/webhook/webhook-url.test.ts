import { expect } from 'chai';
import type { Publisher } from '@tallybook/devices';
import { RecordedAttendance } from '../../../devices/test/publishing/recorded-attendance.js';
import { thrownBy } from '../../../domain/test/fixtures/throws.js';
import { createPublisher, publisherSchemes } from '../../src/index.js';

describe('createPublisher of a webhook', () => {
  const { dependencies } = new RecordedAttendance();
  const create = (url: string): Publisher => createPublisher(url, dependencies);

  it('names a publisher after its host, not after its path, or by the given name', () => {
    expect(create('https://example.org/T0K3N?secret-file=/s').name).to.equal('webhook:example.org');
    expect(create('https://example.org:8443/x?secret-file=/s&name=home').name).to.equal('home');
  });

  for (const host of ['localhost', 'localhost:8080', '127.0.0.1', '127.8.9.1:80', '[::1]:99']) {
    it(`accepts http: for ${host}`, () => {
      expect(create(`http://${host}/taps?secret-file=/s`).status).to.equal('closed');
    });
  }

  it('lists the schemes with the form of their URLs', () => {
    expect(Object.keys(publisherSchemes)).to.deep.equal(['mqtt', 'mqtts', 'https', 'http']);
    for (const scheme of ['https', 'http']) {
      const example = (publisherSchemes[scheme] ?? '')
        .replace('HOST/PATH', 'example.org/taps')
        .replaceAll('FILE', '/x');
      expect(create(example).status).to.equal('closed');
    }
  });

  for (const [url, reason, parameter] of [
    [
      'http://example.org/x?secret-file=/s',
      /http: is for this machine only .* use https: for "example.org"/,
      undefined,
    ],
    ['http://127.example.org/x?secret-file=/s', /http: is for this machine only/, undefined],
    ['http://localhost.example.org/x?secret-file=/s', /http: is for this machine only/, undefined],
    ['http://192.168.1.9/x?secret-file=/s', /http: is for this machine only/, undefined],
    [
      'https://u:p@example.org/x?secret-file=/s',
      /URLs are logged; a webhook has no login: .* secret-file=FILE\. If it is an @ in the path/,
      undefined,
    ],
    ['https://example.org/x', /secret-file is missing/, 'secret-file'],
    ['https://example.org/x?secret-file=', /secret-file is missing/, 'secret-file'],
    ['https://example.org/x?secret-file=/s&names=maybe', /names is one of no, yes; got "maybe"/, 'names'],
    ['https://example.org/x?secret-file=/s&name=', /name is 1 to 100 characters/, 'name'],
    ['http://localhost/x?secret-file=/s&ca=/c', /the parameter "ca" is unknown/, 'ca'],
    [
      'https://example.org/x?secret-file=/s&token=1',
      /the parameter "token" is unknown; allowed are ca, name/,
      'token',
    ],
    [
      'ftp://example.org/x?secret-file=/s',
      /the scheme "ftp" is unknown; allowed are mqtt, mqtts, https, http/,
      undefined,
    ],
  ] as const) {
    it(`refuses ${url}`, () => {
      const error = thrownBy('INVALID_OPTION', () => create(url));
      expect(error.message)
        .to.match(/^the publisher "/)
        .and.match(reason);
      expect(error.details['parameter']).to.equal(parameter);
    });
  }
});

import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { parseCentreUrl } from '../src/index.js';

describe('the address of a centre', () => {
  it('is https, or http to this machine, with a path or without', () => {
    expect(parseCentreUrl('https://centre.example.org').href).to.equal('https://centre.example.org/');
    for (const path of ['tally', 'tally/']) {
      expect(parseCentreUrl(`https://example.org/${path}`).href).to.equal('https://example.org/tally/');
    }
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80']) parseCentreUrl(`http://${host}`);
  });

  it('is http to another machine only if that is allowed', () => {
    expect(() => parseCentreUrl('http://centre.local')).to.throw(TallybookError, /use https:/);
    expect(parseCentreUrl('http://centre.local', true).href).to.equal('http://centre.local/');
  });

  for (const text of [
    '',
    'centre.example.org',
    'ftp://centre.example.org',
    'https://ada@centre.example.org',
    'https://ada:secret@centre.example.org',
    'https://:secret@centre.example.org',
    'https://centre.example.org?token=tb_1',
    'https://centre.example.org#a',
    'https://',
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(() => parseCentreUrl(text))
        .to.throw(TallybookError)
        .with.property('code', 'INVALID_OPTION');
    });
  }

  it('is not repeated in a refusal, if it has a password', () => {
    expect(() => parseCentreUrl('https://ada:secret@centre.example.org')).to.throw(/^(?!.*secret)/);
  });
});

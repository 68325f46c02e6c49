import { expect } from 'chai';
import { openFor, sealFor } from '../../src/access/provider-cookies.js';

describe('data that is sealed for a session', () => {
  const text = 'a text ß';
  const sealed = sealFor('secret', 'purpose', text);

  it('is opened only with the secret of the session and for its purpose', () => {
    expect(openFor('secret', 'purpose', sealed)).to.equal(text);
    expect(openFor('other', 'purpose', sealed)).to.equal(undefined);
    expect(openFor('secret', 'other', sealed)).to.equal(undefined);
    expect(openFor('', 'purpose', sealed)).to.equal(undefined);
  });

  it('differs each time, has only characters of a cookie, and is a third longer', () => {
    expect(sealFor('secret', 'purpose', text)).not.to.equal(sealed);
    const long = sealFor('secret', 'purpose', 'x'.repeat(2_000));
    expect(long).to.match(/^[\w-]{2704}$/);
    expect(openFor('secret', 'purpose', sealFor('secret', 'purpose', ''))).to.equal('');
  });

  it('is not opened if a part was changed or is missing', () => {
    const bytes = Buffer.from(sealed, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(openFor('secret', 'purpose', changed.toString('base64url')), String(index)).to.equal(undefined);
      const short = bytes.subarray(0, index).toString('base64url');
      expect(openFor('secret', 'purpose', short), String(index)).to.equal(undefined);
    }
    for (const odd of ['', ' ', '%', 'ß', 'null'])
      expect(openFor('secret', 'purpose', odd)).to.equal(undefined);
  });
});

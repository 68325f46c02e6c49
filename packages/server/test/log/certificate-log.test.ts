import { expect } from 'chai';
import { logCertificate } from '../../src/log/certificate-log.js';
import { recordedLog } from '../fixtures/logged.js';

describe('What is logged of a certificate', () => {
  it('is what was read, a key that all may read, files of no use, and its end', () => {
    const { log, lines } = recordedLog();
    const told = logCertificate(log);
    const validTo = new Date('2099-12-31T23:59:59Z');
    told.onRead({ names: 'DNS:localhost', validTo, isKeyOpen: false });
    told.onRead({ names: 'DNS:localhost', validTo, isKeyOpen: true });
    told.onFault(new Error('holds no certificate'));
    told.onExpiry(validTo, false);
    told.onExpiry(validTo, true);
    expect(lines.values.map(({ level, msg }) => [level, msg])).to.deep.equal([
      [30, 'certificate for https read'],
      [30, 'certificate for https read'],
      [40, 'everybody on this machine may read the file of --tls-key: take that right away (chmod o= FILE)'],
      [50, 'the files of the certificate changed and are of no use; the one before goes on'],
      [40, 'the certificate for https ends soon: renew it'],
      [50, 'the certificate for https is over: browsers refuse it; renew it'],
    ]);
    expect(lines.values[0]).to.include({ names: 'DNS:localhost', validTo: validTo.toISOString() });
  });
});

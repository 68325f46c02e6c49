import { expect } from 'chai';
import { logCertificate } from '../../src/log/certificate-log.js';
import { recordedLog } from '../fixtures/logged.js';

describe('The log of a certificate', () => {
  it('has its data, a key that all may read, unusable files, and its end', () => {
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
      [40, 'everybody on this machine can read the file of --tls-key; forbid it with chmod o= FILE'],
      [50, 'the new files of the certificate cannot be used; the old certificate stays in use'],
      [40, 'the certificate for https expires soon: renew it'],
      [50, 'the certificate for https has expired: browsers refuse it; renew it'],
    ]);
    expect(lines.values[0]).to.include({ names: 'DNS:localhost', validTo: validTo.toISOString() });
  });
});

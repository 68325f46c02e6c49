import { expect } from 'chai';
import { createConnectFault, createLossFault, createSubscribeFault } from '../../src/mqtt/broker-fault.js';
import { AccessFileError } from '../../src/read-small-file.js';

const broker = { host: 'broker.local', port: 8883, isSecure: true };

describe('createConnectFault', () => {
  const port = 'nothing answers at that port';
  const name = 'there is no host of that name';
  const network = 'it cannot be reached over the network';
  const today = 'its certificate is not valid today';
  const other = 'its certificate is for another host';
  const untrusted = 'its certificate is not trusted, or ours is not';
  const password = 'it refuses the user or the password';
  const unknown = 'it does not answer like a broker (what it said); check the port';
  const cases: readonly (readonly [code: unknown, reason: string, message: string])[] = [
    ['ECONNREFUSED', 'missing', port],
    ['ENOTFOUND', 'missing', name],
    ['EAI_AGAIN', 'missing', name],
    ['EHOSTUNREACH', 'missing', network],
    ['ENETUNREACH', 'missing', network],
    ['ENETDOWN', 'missing', network],
    ['ETIMEDOUT', 'missing', network],
    ['EADDRNOTAVAIL', 'missing', network],
    ['CERT_NOT_YET_VALID', 'certificate', today],
    ['CERT_HAS_EXPIRED', 'certificate', today],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', other],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate', untrusted],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate', untrusted],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'certificate', untrusted],
    ['ERR_TLS_INVALID_CONTEXT', 'certificate', untrusted],
    ['ERR_OSSL_PEM_NO_START_LINE', 'certificate', untrusted],
    ['EPROTO', 'certificate', 'it does not speak TLS there'],
    [1, 'refused', 'it does not speak MQTT 3.1.1'],
    [2, 'refused', 'it refuses the client id'],
    [3, 'refused', 'it says that it is not available'],
    [4, 'credentials', password],
    [5, 'credentials', password],
    // A code that only contains a known one is unknown.
    ['ECONNREFUSED_NOT', 'missing', unknown],
    ['NOT_ECONNREFUSED', 'missing', unknown],
    ['NOT_ENOTFOUND', 'missing', unknown],
    ['ENOTFOUND_NOT', 'missing', unknown],
    ['EAI_', 'missing', unknown],
    ['NOT_EAI_AGAIN', 'missing', unknown],
    ['NOT_ENETDOWN', 'missing', unknown],
    ['ENETDOWN_NOT', 'missing', unknown],
    ['NOT_ERR_SSL', 'missing', unknown],
    ['NOT_EPROTO', 'missing', unknown],
    ['EPROTO_NOT', 'missing', unknown],
    ['NOT_CERT_HAS_EXPIRED', 'certificate', untrusted],
    ['CERT_HAS_EXPIRED_NOT', 'certificate', untrusted],
    ['NOT_ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', untrusted],
    ['ERR_TLS_CERT_ALTNAME_INVALID_NOT', 'certificate', untrusted],
    [6, 'missing', unknown],
    [undefined, 'missing', unknown],
  ];
  for (const [code, reason, message] of cases) {
    it(`says what to do about ${String(code)}`, () => {
      const cause = Object.assign(new Error('what it said'), { code });
      const fault = createConnectFault(broker, 'OUTPUT_FAILED', cause);
      expect(fault.code).to.equal('OUTPUT_FAILED');
      expect(fault.message).to.contain(`the broker broker.local:8883 cannot be used: ${message}`);
      expect(fault.details).to.deep.equal({ host: 'broker.local', port: 8883, reason });
      expect(fault.cause).to.equal(cause);
    });
  }

  it('repeats the problem of a file', () => {
    const fault = createConnectFault(broker, 'READER_DISCONNECTED', new AccessFileError('ca=x is missing'));
    expect(fault.message).to.equal('the broker broker.local:8883 cannot be used: ca=x is missing');
    expect(fault.details['reason']).to.equal('file');
    expect(fault.code).to.equal('READER_DISCONNECTED');
  });

  it('repeats a cause that is no error, with or without a code', () => {
    for (const cause of ['odd', { code: 'EPROTO', toString: () => 'odd' }]) {
      const { message } = createConnectFault(broker, 'OUTPUT_FAILED', cause);
      expect(message).to.contain('it does not answer like a broker (odd)');
    }
  });
});

describe('createLossFault', () => {
  const cause = new Error('it closes the connection');

  it('says that the broker was lost, and after a second loss that another client may be the reason', () => {
    const once = createLossFault(broker, 'OUTPUT_FAILED', false, cause);
    expect(once.message).to.equal('the broker broker.local:8883 was lost; trying again');
    expect(once.details['reason']).to.equal('lost');
    const again = createLossFault(broker, 'OUTPUT_FAILED', true, cause);
    expect(again.message).to.contain('was lost again; another client may have the same client id');
    expect(again.details['reason']).to.equal('lost-again');
    expect([once.cause, again.cause]).to.deep.equal([cause, cause]);
  });
});

describe('createSubscribeFault', () => {
  it('names the topics that this client may not subscribe to', () => {
    const fault = createSubscribeFault(broker, 'READER_DISCONNECTED', ['door', 'hall/+'], new Error('no'));
    expect(fault.message).to.contain('does not let this client subscribe to door and hall/+;');
    expect(fault.details['reason']).to.equal('refused');
    expect(fault.cause).to.be.instanceOf(Error);
  });
});

import { AccessFileError } from '@tallybook/devices';
import { expect } from 'chai';
import { createAnswerFault, createRequestFault } from '../src/delivery-fault.js';
import { SilentEndpointError } from '../src/endpoint.js';

const url = new URL('https://example.org:8443/T0K3N');
const host = 'example.org:8443';

describe('the fault of an answer to a webhook', () => {
  it('is none for 200 to 299', () => {
    for (const status of [200, 204, 299]) expect(createAnswerFault(url, status)).to.equal(undefined);
  });

  for (const [status, reason, words] of [
    [0, 'answer', 'answers 0 (unknown); trying again'],
    [199, 'answer', 'answers 199 (unknown); trying again'],
    [
      300,
      'redirect',
      'answers 300 (Multiple Choices): redirects are not followed; set the address to which it redirects',
    ],
    [
      399,
      'redirect',
      'answers 399 (unknown): redirects are not followed; set the address to which it redirects',
    ],
    [400, 'answer', 'answers 400 (Bad Request); trying again'],
    [
      401,
      'refused',
      'answers 401 (Unauthorized): check that both ends have the same secret, and the right time',
    ],
    [
      403,
      'refused',
      'answers 403 (Forbidden): check that both ends have the same secret, and the right time',
    ],
    [
      410,
      'gone',
      'answers 410 (Gone): it wants no more requests. None is sent until the next start; remove the setting',
    ],
  ] as const) {
    it(`gives advice for ${status}, and names only the host`, () => {
      const fault = createAnswerFault(url, status);
      expect(fault).to.deep.include({ code: 'OUTPUT_FAILED', details: { host, reason } });
      expect(fault?.message).to.equal(`the webhook at ${host} ${words}`);
      expect(fault).not.to.have.own.property('cause');
    });
  }
});

describe('the fault of a request of a webhook without an answer', () => {
  for (const [code, reason, words] of [
    ['CERT_HAS_EXPIRED', 'certificate', /has no certificate that is trusted; .* ca=FILE/],
    ['ENOTFOUND', 'missing', /is not known by this name/],
    ['EAI_AGAIN', 'missing', /is not known by this name/],
    ['ECONNREFUSED', 'missing', /does not listen there/],
    ['ECONNRESET', 'lost', /closes the connection without an answer/],
    ['EPIPE', 'lost', /closes the connection without an answer/],
  ] as const) {
    it(`describes the problem of the connection for ${code}`, () => {
      const cause = Object.assign(new Error('failed'), { code });
      const fault = createRequestFault(url, cause);
      expect(fault.message)
        .to.match(words)
        .and.match(new RegExp(`\\(${code}\\); trying again$`));
      expect(fault).to.deep.include({ code: 'OUTPUT_FAILED', details: { host, reason }, cause });
    });
  }

  it('repeats an unknown error', () => {
    for (const [cause, text] of [
      [new Error('something new'), 'something new'],
      [Object.assign(new Error('with a code'), { code: 'ENEW' }), 'with a code'],
      ['a text', 'a text'],
    ] as const) {
      const fault = createRequestFault(url, cause);
      expect(fault.message).to.equal(`the webhook at ${host} cannot be reached (${text}); trying again`);
      expect(fault).to.deep.include({ details: { host, reason: 'missing' }, cause });
    }
  });

  it('distinguishes an unusable file from a silent endpoint', () => {
    const file = createRequestFault(url, new AccessFileError('secret-file=/s is missing'));
    expect(file.message).to.equal(`the webhook at ${host} gets no requests: secret-file=/s is missing`);
    expect(file.details).to.deep.equal({ host, reason: 'file' });
    const silent = createRequestFault(url, new SilentEndpointError('there is no answer'));
    expect(silent.message).to.equal(`the webhook at ${host} does not answer in time; trying again`);
    expect(silent.details).to.deep.equal({ host, reason: 'time-out' });
  });
});

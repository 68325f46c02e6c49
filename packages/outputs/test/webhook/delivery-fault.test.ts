import { AccessFileError } from '@tallybook/devices';
import type { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import {
  createAnswerFault,
  createRequestFault,
  isAboutAddress,
  isAboutChange,
} from '../../src/webhook/delivery-fault.js';
import { SilentEndpointError } from '../../src/webhook/endpoint.js';

const url = new URL('https://example.org:8443/T0K3N');
const host = 'example.org:8443';

describe('the fault of an answer to a webhook', () => {
  const STOPPED =
    'Nothing more is sent until somebody corrects that and restarts the service, or sends again';
  const REDIRECT =
    'redirects are not followed; set the address to which it redirects, or redirects=accepted if it answers 302 or 303 to requests that it has stored';
  const SECRET = 'check that both ends have the same secret, and the right time';

  it('is none for 200 to 299', () => {
    for (const status of [200, 204, 299]) expect(createAnswerFault(url, status, false)).to.equal(undefined);
  });

  it('is none for 302 and 303 if redirects are accepted, and stays for the other redirects', () => {
    const isTaken = (status: number): boolean => createAnswerFault(url, status, true) === undefined;
    const redirects = Array.from({ length: 100 }, (_, n) => 300 + n);
    expect(redirects.filter(isTaken)).to.deep.equal([302, 303]);
  });

  for (const [status, reason, words] of [
    [0, 'answer', 'answers 0 (unknown); trying again'],
    [199, 'answer', 'answers 199 (unknown); trying again'],
    [300, 'redirect', `answers 300 (Multiple Choices): ${REDIRECT}. ${STOPPED}`],
    [399, 'redirect', `answers 399 (unknown): ${REDIRECT}. ${STOPPED}`],
    [
      400,
      'change',
      'answers 400 (Bad Request): it does not take this change, which is set aside after three attempts',
    ],
    [401, 'refused', `answers 401 (Unauthorized): ${SECRET}. ${STOPPED}`],
    [403, 'refused', `answers 403 (Forbidden): ${SECRET}. ${STOPPED}`],
    [404, 'no-receiver', `answers 404 (Not Found): check the path. ${STOPPED}`],
    [405, 'no-receiver', `answers 405 (Method Not Allowed): check the path; it takes no POST. ${STOPPED}`],
    [408, 'answer', 'answers 408 (Request Timeout); trying again'],
    [410, 'gone', `answers 410 (Gone): it wants no more requests; remove the setting. ${STOPPED}`],
    [429, 'answer', 'answers 429 (Too Many Requests); trying again'],
    [500, 'answer', 'answers 500 (Internal Server Error); trying again'],
  ] as const) {
    it(`gives advice for ${status}, and names only the host`, () => {
      const fault = createAnswerFault(url, status, false);
      expect(fault).to.deep.include({ code: 'OUTPUT_FAILED', details: { host, reason } });
      expect(fault?.message).to.equal(`the webhook at ${host} ${words}`);
      expect(fault).not.to.have.own.property('cause');
    });
  }

  it('says whether the answer is about the change, about the address, or will pass', () => {
    const statuses = [
      300, 302, 304, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 503,
    ];
    const faults = statuses.flatMap((status) => createAnswerFault(url, status, false) ?? []);
    const statusesOf = (isOfKind: (fault: TallybookError) => boolean): readonly (number | undefined)[] =>
      faults.flatMap((fault, index) => (isOfKind(fault) ? [statuses[index]] : []));
    expect(statusesOf(isAboutChange)).to.deep.equal([400, 413, 422]);
    expect(statusesOf(isAboutAddress)).to.deep.equal([300, 302, 304, 307, 308, 401, 403, 404, 405, 410]);
  });
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

import { isTallybookError, TallybookError, type ErrorDetails } from '@tallybook/domain';
import { expect } from 'chai';
import { OversizeError } from '../src/read-bounded.js';
import { faultOfAnswer, faultOfRequest } from '../src/sync-fault.js';

const url = new URL('https://centre.example.org:8443/secret-path/');
const host = 'centre.example.org:8443';

function problem(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json; charset=utf-8', ...headers },
  });
}

/** An error like those of `fetch` and Node. */
function failed(code: unknown, options: ErrorOptions = {}): Error {
  return Object.assign(new Error('fetch failed', options), { code });
}

describe('the error of an answer of a centre', () => {
  for (const [status, words] of [
    [401, /does not know the token; make another one there: tallybook token add NAME --role station$/],
    [403, /does not allow it; the token must be one of the role station$/],
    [404, /has no such interface: it is not a Tallybook$/],
    [413, /refuses the batch as too large$/],
    [421, /does not know itself by this name; set --allowed-host there$/],
    [429, /gets too many requests$/],
    [500, /answers 500$/],
  ] as const) {
    it(`says what helps with ${status}, and names the host alone`, async () => {
      const { message } = await faultOfAnswer(url, new Response('', { status }));
      expect(message)
        .to.match(words)
        .and.match(new RegExp(`^the centre at ${host} `));
      expect(message).not.to.include('secret-path');
    });
  }

  for (const [status, code, reason] of [
    [299, 'UPSTREAM_UNAVAILABLE', 'answer'],
    [300, 'UPSTREAM_UNAVAILABLE', 'redirect'],
    [399, 'UPSTREAM_UNAVAILABLE', 'redirect'],
    [400, 'UPSTREAM_UNAVAILABLE', 'answer'],
    [401, 'NOT_ALLOWED', 'refused'],
    [402, 'UPSTREAM_UNAVAILABLE', 'answer'],
    [403, 'NOT_ALLOWED', 'refused'],
    [404, 'UPSTREAM_UNAVAILABLE', 'no-centre'],
    [405, 'UPSTREAM_UNAVAILABLE', 'no-centre'],
  ] as const) {
    it(`has the code ${code} and the reason ${reason} for ${status} without a word`, async () => {
      const error = await faultOfAnswer(url, new Response(null, { status }));
      expect(error.code).to.equal(code);
      const seen: ErrorDetails = reason === 'redirect' ? {} : { status };
      expect(error.details).to.deep.equal({ host, reason, ...seen });
    });
  }

  for (const status of [401, 403]) {
    it(`says of a page with ${status} that it is one to sign in, not that the token is wrong`, async () => {
      const headers = { 'Content-Type': 'text/html; charset=utf-8' };
      const error = await faultOfAnswer(url, new Response('<h1>Sign in</h1>', { status, headers }));
      expect(error.message).to.equal(
        `the centre at ${host} answers with a page for people (${status}), as a sign-in page in front of it does; let requests for api/sync pass without it: the token is their sign-in`,
      );
      expect([error.code, error.details]).to.deep.equal([
        'UPSTREAM_UNAVAILABLE',
        { host, status, reason: 'page' },
      ]);
    });
  }

  it('says nothing of a sign-in for the page of a proxy whose centre is away', async () => {
    const headers = { 'Content-Type': 'text/html' };
    const error = await faultOfAnswer(url, new Response('<h1>Bad Gateway</h1>', { status: 502, headers }));
    expect(error.message).to.match(/answers 502$/);
  });

  it('reads nothing of an answer that redirects', async () => {
    let isCancelled = false;
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
    await faultOfAnswer(url, new Response(body, { status: 302 }));
    expect(isCancelled).to.equal(true);
  });

  it('has the expected cursor and the seconds to wait, if they are whole numbers', async () => {
    const gap = await faultOfAnswer(
      url,
      problem(409, { code: 'SYNC_GAP', expected: 17 }, { 'Retry-After': '0' }),
    );
    expect(gap.code).to.equal('SYNC_GAP');
    expect(gap.details).to.deep.equal({
      ...{ host, status: 409, reason: 'answer' },
      ...{ expected: 17, retryAfterSeconds: 0 },
    });
    for (const expected of ['17', 1.5, 2 ** 53, null]) {
      const error = await faultOfAnswer(url, problem(409, { expected }, { 'Retry-After': 'soon' }));
      expect(error.details, String(expected)).to.deep.equal({ host, status: 409, reason: 'answer' });
    }
  });

  it('takes the code of a problem if a station understands it, and otherwise not', async () => {
    expect(await faultOfAnswer(url, problem(403, { code: 'NOT_CLAIMED' }))).to.include({
      code: 'NOT_CLAIMED',
    });
    for (const code of ['STORE_CORRUPT', 'toString', 7, null]) {
      expect(await faultOfAnswer(url, problem(500, { code }))).to.include({ code: 'UPSTREAM_UNAVAILABLE' });
    }
  });

  it('takes nothing of a body that is no problem details', async () => {
    const said = { code: 'SYNC_GAP', detail: 'a gap', expected: 17 };
    for (const response of [
      problem(500, said, { 'Content-Type': 'application/json' }),
      new Response(new Uint8Array(Buffer.from(JSON.stringify(said))), { status: 500 }),
      problem(500, `${JSON.stringify(said)}${' '.repeat(16_384)}`),
      problem(500, 'null'),
      problem(500, '{'),
      problem(500, { detail: ['a gap'] }),
    ]) {
      const { code, message, details } = await faultOfAnswer(url, response);
      expect(message).to.equal(`the centre at ${host} answers 500`);
      expect([code, details]).to.deep.equal([
        'UPSTREAM_UNAVAILABLE',
        { host, status: 500, reason: 'answer' },
      ]);
    }
  });

  it('has at most 200 characters of what the centre says, in one line and in one direction', async () => {
    const detail = `a\nb\u202Ec\u2028d\uD800${'x'.repeat(191)}`;
    const { message } = await faultOfAnswer(url, problem(500, { detail: `${detail}yz` }));
    expect(message).to.equal(
      `the centre at ${host} answers 500 (a\uFFFDb\uFFFDc\uFFFDd\uFFFD${'x'.repeat(191)}y)`,
    );
  });
});

describe('the error of a request that a centre does not answer', () => {
  for (const [code, reason, words] of [
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'answer', /speaks http, not https/],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'answer', /speaks http, not https/],
    ['ERR_SSL_WRONG_VERSION_NUMBERS', 'certificate', /no certificate that is trusted/],
    ['CERT_HAS_EXPIRED', 'certificate', /no certificate that is trusted/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate', /NODE_EXTRA_CA_CERTS/],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate', /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate', /NODE_EXTRA_CA_CERTS/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', /check the host/],
    ['EPROTO', 'certificate', /no certificate/],
    ['ENOTFOUND', 'missing', /is not known by this name/],
    ['EAI_AGAIN', 'missing', /is not known by this name/],
    ['ECONNREFUSED', 'missing', /does not listen there/],
    ['ECONNRESET', 'lost', /closes the connection without an answer/],
    ['UND_ERR_SOCKET', 'lost', /closes the connection without an answer/],
    ['EHOSTUNREACH', 'missing', /cannot be reached/],
    ['UND_ERR_CONNECT_TIMEOUT', 'missing', /cannot be reached/],
    ['SOMETHING_NEW', 'missing', /cannot be reached/],
  ] as const) {
    it(`says what is wrong with the connection for ${code}`, () => {
      const cause = new TypeError('fetch failed', { cause: failed(code) });
      const error = faultOfRequest(url, cause, false);
      expect(error.code).to.equal('UPSTREAM_UNAVAILABLE');
      expect(error.message)
        .to.match(words)
        .and.match(new RegExp(`\\(${code}\\)$`));
      expect(error.details).to.deep.equal({ host, reason });
      expect(error.cause).to.equal(cause);
    });
  }

  it('is that of its first address where all were tried', () => {
    const all = new AggregateError([failed('ECONNREFUSED'), failed('ENETUNREACH')]);
    expect(faultOfRequest(url, new TypeError('fetch failed', { cause: all }), false).message).to.match(
      /does not listen there \(ECONNREFUSED\)$/,
    );
    const none = new AggregateError([], 'none', { cause: failed('EPIPE') });
    expect(faultOfRequest(url, none, false).details).to.include({ reason: 'lost' });
  });

  it('is looked for five causes deep, past those without a code', () => {
    const deep = (depth: number): Error =>
      depth === 1 ? failed('ECONNRESET') : failed(depth % 2 === 0 ? '' : 7, { cause: deep(depth - 1) });
    expect(faultOfRequest(url, deep(5), false).message).to.match(/\(ECONNRESET\)$/);
    expect(faultOfRequest(url, deep(6), false).message).to.match(/cannot be reached$/);
    expect(faultOfRequest(url, 'no error', false).message).to.match(/cannot be reached$/);
  });

  it('is a time-out when the time was over, whatever ended', () => {
    const error = faultOfRequest(url, failed('ECONNRESET'), true);
    expect(error.details).to.deep.equal({ host, reason: 'time-out' });
    expect(error.message).to.match(/does not answer in time$/);
    expect(error.cause).to.have.property('code', 'ECONNRESET');
  });

  it('is one of the answer if that is too long, or no text', () => {
    const noText = Object.assign(new TypeError('invalid'), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
    for (const cause of [new OversizeError('long'), noText]) {
      const error = faultOfRequest(url, cause, false);
      expect(error.details).to.deep.equal({ host, reason: 'answer' });
      expect(error.message).to.match(/gives an answer that no centre gives$/);
      expect(error.cause).to.equal(cause);
    }
    // Other errors may have this code or class.
    for (const cause of [failed('ERR_ENCODING_INVALID_ENCODED_DATA'), new TypeError('fetch failed')]) {
      expect(faultOfRequest(url, cause, false).details).to.deep.equal({ host, reason: 'missing' });
    }
  });

  it('stays as it is if it is one of this project, in time or not', () => {
    const error = new TallybookError('SYNC_GAP', 'a gap');
    for (const isOverdue of [false, true]) expect(faultOfRequest(url, error, isOverdue)).to.equal(error);
    expect(isTallybookError(error)).to.equal(true);
  });
});

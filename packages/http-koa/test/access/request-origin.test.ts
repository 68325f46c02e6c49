import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { browserOf } from '../../src/access/browser-of.js';
import { Connections, passkeyPlaceOf, TrustedProxies } from '../../src/access/connections.js';
import { requireSameOrigin } from '../../src/access/cross-site.js';

type Headers = Readonly<Record<string, string>>;

const PROXY = '10.0.0.7';

function request(headers: Headers = {}, socket: object = {}, method = 'POST'): IncomingMessage {
  return { headers, method, socket: { remoteAddress: PROXY, ...socket } } as unknown as IncomingMessage;
}

const behindProxy = new Connections([PROXY]);
const bare = new Connections([]);

describe('the browser of a session', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36';
  for (const [userAgent, name] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${chrome} Edg/131.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Linux; Android 14) ${chrome} EdgA/131.0`, 'Edge on Android'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} OPR/117.0`, 'Opera on Linux'],
    [`Mozilla/5.0 (Linux; Android 14) SamsungBrowser/27.0 ${chrome}`, 'Samsung Internet on Android'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541) ${chrome}`, 'Chrome on ChromeOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) FxiOS/133.0 Safari/605.1', 'Firefox on iPad'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) CriOS/131.0 Safari/604.1', 'Chrome on iPhone'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15', 'Safari on Mac'],
    ['Firefox/1', 'Firefox'],
    ['curl/8.5.0 (Linux)', 'curl'],
    [`${'a'.repeat(41)}/1`, 'a'.repeat(40)],
    ['/1', 'unknown'],
    ['', 'unknown'],
  ] as const) {
    it(`is ${name} for ${JSON.stringify(userAgent).slice(0, 90)}`, () => {
      expect(browserOf(userAgent)).to.equal(name);
    });
  }
});

describe('how a request came', () => {
  it('is https by its own connection, or by the nearest trusted proxy', () => {
    for (const [connections, headers, socket, transport] of [
      [bare, {}, { encrypted: true }, 'https'],
      [bare, {}, { encrypted: false }, 'http'],
      [bare, { 'x-forwarded-proto': 'https' }, {}, 'http'],
      [behindProxy, { 'x-forwarded-proto': 'HTTPS' }, {}, 'https'],
      [behindProxy, { 'x-forwarded-proto': 'http, https' }, {}, 'https'],
      [behindProxy, { 'x-forwarded-proto': 'https, http' }, {}, 'http'],
      [behindProxy, { 'x-forwarded-proto': '' }, {}, 'http'],
      [behindProxy, {}, {}, 'http'],
    ] as const) {
      const found = connections.transportOf(request(headers, socket));
      expect(found, JSON.stringify([headers, socket])).to.equal(transport);
    }
  });

  it('has the host of the request, or of a trusted proxy', () => {
    const headers = { host: 'tally', 'x-forwarded-host': 'far, near' };
    expect(bare.hostOf(request(headers))).to.equal('tally');
    expect(behindProxy.hostOf(request(headers))).to.equal('near');
    expect(behindProxy.hostOf(request({ host: 'tally' }))).to.equal('tally');
    expect(bare.hostOf(request())).to.equal(undefined);
  });
});

describe('the proxies that are trusted', () => {
  it('are addresses and networks, of both families', () => {
    const trusted = new TrustedProxies([
      '10.1.0.0/16',
      '192.0.2.5',
      'fd00::/8',
      '2001:db8::1/128',
      '0.0.0.0/32',
    ]);
    for (const [address, isTrusted] of [
      ['10.1.255.255', true],
      ['10.2.0.0', false],
      ['192.0.2.5', true],
      ['192.0.2.4', false],
      ['::ffff:192.0.2.5', true],
      ['fdff::1', true],
      ['2001:db8::1', true],
      ['2001:db8::2', false],
      ['rubbish', false],
      [undefined, false],
    ] as const) {
      for (let time = 0; time < 2; time++) expect(trusted.trusts(address), address).to.equal(isTrusted);
    }
  });

  it('are none by default', () => {
    expect(new TrustedProxies([]).trusts('127.0.0.1')).to.equal(false);
  });
});

describe('where browsers have passkeys', () => {
  for (const [host, isSecure, place] of [
    ['tally.example', true, { origin: 'https://tally.example', host: 'tally.example' }],
    ['Tally.Example:8443', true, { origin: 'https://tally.example:8443', host: 'tally.example' }],
    ['localhost:8080', false, { origin: 'http://localhost:8080', host: 'localhost' }],
    ['localhost', true, { origin: 'https://localhost', host: 'localhost' }],
    ['tally.example', false, undefined],
    ['192.0.2.5', true, undefined],
    ['[::1]', true, undefined],
    ['[::1]:80', false, undefined],
    ['127.0.0.1', false, undefined],
    ['a b', true, undefined],
    [undefined, true, undefined],
  ] as const) {
    it(`is ${place?.origin ?? 'nowhere'} for ${host ?? 'no host'} over ${isSecure ? 'https' : 'http'}`, () => {
      const asked = request(host === undefined ? {} : { host }, { encrypted: isSecure });
      expect(passkeyPlaceOf(asked, bare)).to.deep.equal(place);
    });
  }
});

describe('a change that may come from a page', () => {
  function refusalOf(headers: Headers, isAmbient = true, method = 'POST'): string | undefined {
    const context = {
      req: request({ host: 'tally:80', ...headers }, {}, method),
      throw: (status: number, message: string) => {
        throw new Error(`${status}: ${message}`);
      },
    };
    try {
      requireSameOrigin(context as never, bare, isAmbient);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  it('is allowed if the browser names our page, with or without the default port', () => {
    for (const origin of ['http://tally', 'http://tally:80', 'https://TALLY:80'])
      expect(refusalOf({ origin })).to.equal(undefined);
    expect(refusalOf({ origin: 'https://tally' })).to.match(/^403/);
  });

  it('is refused for every other page, and the refusal names it', () => {
    for (const isAmbient of [true, false]) {
      expect(refusalOf({ origin: 'http://evil' }, isAmbient)).to.match(
        /^403: a page of another site asked for this change, which is refused: its origin is "http:\/\/evil" and this is "tally:80"; /,
      );
      expect(refusalOf({ 'sec-fetch-site': 'same-site' }, isAmbient)).to.match(/which is refused$/);
    }
    expect(refusalOf({})).to.match(/^403: a change needs the header Origin, or a token/);
  });

  it('does not include requests that change nothing', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(refusalOf({ origin: 'http://evil' }, true, method), method).to.equal(undefined);
  });
});

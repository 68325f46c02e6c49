import { expect } from 'chai';
import { TallybookError } from '@tallybook/domain';
import { frameDecoders, type FrameDecoder } from '@tallybook/readers';
import { breakBackup } from '../fuzz/imports/broken-backups.js';
import { makeBrokenScript } from '../fuzz/http/broken-requests.js';
import { listEndpoints, sample, type OpenApi } from '../fuzz/http/endpoints.js';
import { fuzzDecoder } from '../fuzz/readers/fuzz-decoders.js';
import {
  makeBodyScript,
  makeClaimedScript,
  makeQueryScript,
  makeStreamScript,
} from '../fuzz/http/hostile-requests.js';
import { randomOf } from '../random.js';
import type { Script } from '../fuzz/script.js';
import { soundFrames } from '../fuzz/readers/sound-frames.js';

const openApi: OpenApi = {
  paths: {
    '/things/{id}': { get: { parameters: [{ name: 'size', in: 'query' }] }, head: {} },
    '/orders': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
      },
    },
    '/live': { get: { responses: { 200: { content: { 'text/event-stream': {} } } } }, head: {} },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          lines: { type: 'array', items: { oneOf: [{ type: 'integer' }] } },
          kind: { enum: ['cash'] },
          version: { const: 1 },
          example: { examples: ['given'] },
          both: {
            allOf: [{ properties: { a: { type: 'boolean' } } }, { properties: { b: { type: ['null'] } } }],
          },
          again: { $ref: '#/components/schemas/Order' },
          unknown: {},
        },
      },
    },
  },
};
const endpoints = listEndpoints(openApi);

const kinds = {
  raw: (number: number) => makeBrokenScript(randomOf(1, `raw ${number}`), ['/things/1']),
  queries: (number: number) => makeQueryScript(randomOf(1, `queries ${number}`), endpoints),
  bodies: (number: number) => makeBodyScript(randomOf(1, `bodies ${number}`), endpoints, openApi),
  streams: (number: number) => makeStreamScript(randomOf(1, `streams ${number}`), endpoints),
  claimed: (number: number) =>
    makeClaimedScript(randomOf(1, `claimed ${number}`), endpoints, openApi, 'tb_1'),
};

function textOf({ pieces }: Script): string {
  return Buffer.concat(pieces).toString('latin1');
}

describe('listEndpoints', () => {
  it('lists every method of every path, and knows streams and bodies', () => {
    expect(endpoints.map(({ method, path, isStream }) => `${method} ${path} ${isStream}`)).to.deep.equal([
      'GET /things/{id} false',
      'HEAD /things/{id} false',
      'POST /orders false',
      'GET /live true',
      'HEAD /live true',
    ]);
    expect(endpoints[0]?.query).to.deep.equal(['size']);
    expect(Object.keys(endpoints[2]?.bodies ?? {})).to.deep.equal(['application/json']);
  });
});

describe('sample', () => {
  it('makes about what a schema asks for, and comes to an end where it refers to itself', () => {
    const made = sample(openApi.components?.schemas?.['Order'] ?? {}, openApi) as Record<string, unknown>;
    const { again, ...rest } = made;
    expect(rest).to.deep.equal({
      ...{ name: 'text', lines: [1], kind: 'cash', version: 1, example: 'given' },
      ...{ both: { a: true, b: null }, unknown: 'text' },
    });
    expect(again).to.have.property('name', 'text');
  });
});

describe('a case of the fuzz', () => {
  for (const [kind, make] of Object.entries(kinds)) {
    it(`is the same for the same seed and number, and another one for another number: ${kind}`, () => {
      const texts = Array.from({ length: 50 }, (_, number) => textOf(make(number)));
      expect(Array.from({ length: 50 }, (_, number) => textOf(make(number)))).to.deep.equal(texts);
      expect(new Set(texts)).to.have.property('size').that.is.at.least(45);
    });
  }

  it('asks what the description of the service lists, without its being named', () => {
    const all = (kind: keyof typeof kinds): string =>
      Array.from({ length: 100 }, (_, n) => textOf(kinds[kind](n))).join('');
    expect(all('queries'))
      .to.match(/GET \/things\/.*size=/)
      .and.to.include('HEAD /things/')
      .and.to.not.include('/live');
    expect(all('bodies')).to.include('POST /orders').and.to.include('"kind":"cash"');
    expect(all('streams')).to.include('GET /live').and.to.include('Last-Event-ID: ');
  });

  it('never has a header above 16 KiB where every request must be answered', () => {
    for (let number = 0; number < 500; number++) {
      const script = kinds.queries(number);
      for (const head of textOf(script).split('\r\n\r\n'))
        expect(head.length, String(number)).to.be.below(16_000);
      expect(script.answers).to.equal(script.hostile + 1);
    }
  });

  it('has credentials or must be refused on a service that is claimed, except where everybody may ask', () => {
    const setup = endpoints.map((each) => ({ ...each, path: each.path.replace('/orders', '/api/setup') }));
    for (let number = 0; number < 100; number++) {
      const script = kinds.claimed(number);
      const { refusals = [], withCredentials = 0, answers = 0 } = script;
      expect(textOf(script).split('Bearer tb_1')).to.have.length(withCredentials + 1);
      expect(refusals)
        .to.have.length(answers - withCredentials)
        .and.to.include(answers - 1);
      const forEverybody = makeClaimedScript(randomOf(1, `claimed ${number}`), setup, openApi, 'tb_1');
      expect(forEverybody.refusals).to.deep.equal([answers - 1]);
    }
  });

  it('breaks a backup in different ways, and sometimes not at all', () => {
    const sound = '{"kind":"tallybook","version":1}\n{"kind":"name","id":"AB0001","first":"A","last":"B"}\n';
    const broken = Array.from({ length: 200 }, (_, n) =>
      breakBackup(randomOf(1, `import ${n}`), sound).toString('latin1'),
    );
    expect(broken).to.include(sound);
    expect(new Set(broken)).to.have.property('size').that.is.above(120);
  });
});

describe('fuzzDecoder', () => {
  it('knows a sound frame of every protocol, and finds nothing wrong with its decoder', () => {
    for (const [protocol, createDecoder] of Object.entries(frameDecoders)) {
      const sound = soundFrames[protocol];
      expect(sound, `a sound frame of ${protocol}`).to.be.an('object');
      if (sound === undefined) continue;
      const { bytes, failures } = fuzzDecoder(protocol, createDecoder, sound, 200, 1);
      expect(failures).to.be.empty;
      expect(bytes).to.be.above(100_000);
    }
  });

  it('finds a decoder that throws, and one that does not find its way back after noise', () => {
    const sound = { id: 'AB0001', frame: Buffer.from('AB0001\n') };
    const throwing: FrameDecoder = {
      push: () => {
        throw new TallybookError('FRAME_INVALID', 'thrown');
      },
    };
    const lost: FrameDecoder = { push: () => [] };
    for (const [decoder, problem] of [
      [throwing, 'it threw'],
      [lost, 'a sound frame after it is not read'],
    ] as const) {
      const { failures } = fuzzDecoder('test', () => decoder, sound, 10, 1);
      expect(failures).to.have.length(3);
      expect(failures[0])
        .to.match(/^decoder test, case 0 of seed 1: /)
        .and.to.include(problem);
    }
  });
});

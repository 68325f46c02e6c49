import { expect } from 'chai';
import * as fc from 'fast-check';
import { EventParser } from '../../src/events/event-parser.js';

interface Parsed {
  readonly type: string;
  readonly data: string;
  readonly id: string | undefined;
}

function parseAll(parser: EventParser, chunks: readonly Uint8Array[]): Parsed[] {
  const events: Parsed[] = [];
  for (const chunk of chunks) {
    for (const event of parser.parse(chunk)) events.push({ ...event, id: parser.lastEventId });
  }
  return events;
}

function parse(text: string): Parsed[] {
  return parseAll(new EventParser(), [new TextEncoder().encode(text)]);
}

describe('EventParser', () => {
  it('gives events with type, data and id', () => {
    expect(parse('id: 1\nevent: msg\ndata: 04A2B3C4D5\n\n')).to.deep.equal([
      { type: 'msg', data: '04A2B3C4D5', id: '1' },
    ]);
  });

  it('keeps the id of an event for later events without an id', () => {
    expect(parse('id: 1\ndata: a\n\ndata: b\n\n').map(({ id }) => id)).to.deep.equal(['1', '1']);
  });

  it('takes the id of an event without data, and does not give that event', () => {
    expect(parse('id: 1\nevent: msg\n\ndata: b\n\n')).to.deep.equal([
      { type: 'message', data: 'b', id: '1' },
    ]);
  });

  it('does not take the id of an incomplete event', () => {
    const parser = new EventParser();
    parseAll(parser, [new TextEncoder().encode('id: 1\ndata: a\n\nid: 2\ndata: b\n')]);
    expect(parser.lastEventId).to.equal('1');
  });

  it('joins lines of data, and removes one leading space from each', () => {
    expect(parse('data: a\ndata:b\ndata:  c\ndata\n\n')[0]?.data).to.equal('a\nb\n c\n');
  });

  it('drops comments, unknown fields and ids with NUL', () => {
    expect(parse(': keep-alive\n\nfoo: bar\nid: a\0b\ndata: x\n\n')).to.deep.equal([
      { type: 'message', data: 'x', id: undefined },
    ]);
  });

  it('takes a retry time of digits only', () => {
    const parser = new EventParser();
    parseAll(parser, [new TextEncoder().encode('retry: 2000\n\nretry: 3s\n\n')]);
    expect(parser.retryMs).to.equal(2_000);
  });

  it('does not end a line at U+2028, which names may contain', () => {
    expect(parse('data: a\u2028b\n\n')[0]?.data).to.equal('a\u2028b');
  });

  it('ends lines with CR, LF or both', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(
        parse(`event: msg${end}data: a${end}${end}data: b${end}${end}:${end}`),
        JSON.stringify(end),
      ).to.have.length(2);
    }
  });

  it('joins a character that comes in two pieces', () => {
    const bytes = new TextEncoder().encode('data: ä\n\n');
    expect(parseAll(new EventParser(), [bytes.slice(0, 7), bytes.slice(7)])).to.deep.equal([
      { type: 'message', data: 'ä', id: undefined },
    ]);
  });

  it('gives the same events for every cut of the bytes', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'data: ä€😀', 'data', 'id: 7', 'event: msg', ': c', 'retry: 5', 'data: x:y'),
      fc.string(),
    );
    const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(200)), (parts, cuts) => {
        const bytes = new TextEncoder().encode(`${parts.map((part) => part.join('')).join('')}\n\n:\n`);
        const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((end, n) => bytes.slice(edges[n], end));
        expect(parseAll(new EventParser(), chunks)).to.deep.equal(parseAll(new EventParser(), [bytes]));
      }),
    );
  });
});

import { DeviceUrl } from '@tallybook/devices';
import { expect } from 'chai';
import type { FrameDecoder } from '../../../src/index.js';
import { LinePattern } from '../../../src/serial/decoders/line-decoder.js';
import { readProtocol } from '../../../src/serial/serial-protocols.js';
import { problemsOf, summarise } from '../../fixtures/summarise.js';

function decoderOf(parameters: string): FrameDecoder {
  return readProtocol(new DeviceUrl(`serial:?${parameters}`)).createDecoder();
}

function decode(parameters: string, text: string): string[] {
  return summarise(decoderOf(parameters).push(Buffer.from(text, 'latin1'), 0));
}

function lines(pattern: string): string {
  return `protocol=lines&pattern=${encodeURIComponent(pattern)}`;
}

describe('protocol=lines', () => {
  it('gives each line with every kind of line end, without white space around it', () => {
    expect(decode('protocol=lines', ' 0006547886 \r\n099,59822\rAB\n\n\r\n')).to.deep.equal([
      '0006547886',
      '099,59822',
      'AB',
    ]);
  });

  // Output of Proxmark3.
  const printed: readonly (readonly [line: string, whole: string, part: string, id: string])[] = [
    ['[+] UID.... 3112B710', '\\[\\+\\] UID\\.+ ([0-9A-F]{8})', 'UID\\.+ ([0-9A-F]+)', '3112B710'],
    [
      '[+]  UID: 04 4B 17 12 5B 66 80 ',
      '\\[\\+\\] +UID: ([0-9A-F]{2}(?: [0-9A-F]{2}){3,9})',
      'UID: ([0-9A-F ]+)',
      '04 4B 17 12 5B 66 80',
    ],
    [
      '[+] EM 410x ID 0F0368568B',
      '\\[\\+\\] EM 410x ID ([0-9A-F]{10})',
      '(?<=ID )[0-9A-F]{10}$',
      '0F0368568B',
    ],
    ['no=6547886;', 'no=([0-9]+);|no=none', '[0-9]+', '6547886'],
  ];
  for (const line of ['00065478951', '4006381333931', '00065478900006547891']) {
    it(`takes no part of a longer number as an id: ${line.length} digits`, () => {
      const decoded = decoderOf(`${lines('[0-9]{10}')}&match=part`).push(Buffer.from(`${line}\r\n`), 0);
      expect(problemsOf(decoded)).to.deep.equal(['a line of which the pattern matches only a part']);
    });
  }

  for (const [line, whole, part, id] of printed) {
    it(`finds ${id} in "${line}" by ${whole}`, () => {
      expect(decode(lines(whole), `${line}\r\n`)).to.deep.equal([id]);
      expect(decode(lines(`^${whole}$`), `${line}\r\n`)).to.deep.equal([id]);
    });

    it(`finds ${id} in "${line}" by ${part} only if a part may match`, () => {
      const decoded = decoderOf(lines(part)).push(Buffer.from(`${line}\r\n`), 0);
      expect(problemsOf(decoded)).to.deep.equal(['a line of which the pattern matches only a part']);
      expect(decode(`${lines(part)}&match=part`, `${line}\r\n`)).to.deep.equal([id]);
    });
  }

  // Prefixes and suffixes of barcode scanners: ESC before the code; Tab or nothing after it.
  const scanned: readonly (readonly [what: string, bytes: string])[] = [
    ['begins with ESC', '\x1b0006547886\r'],
    ['ends with Tab', '0006547886\t'],
    ['ends with nothing', '0006547886'],
    ['begins with ESC and ends with nothing', '\x1b0006547886'],
    ['ends with the code of a symbology and EOT', '0006547886]C0\x04'],
  ];
  for (const [what, bytes] of scanned) {
    it(`reads a code that ${what} by match=part`, () => {
      const decoder = decoderOf(`${lines('[0-9]{10}')}&match=part`);
      const decoded = [...decoder.push(Buffer.from(bytes, 'latin1'), 0), ...(decoder.silence?.() ?? [])];
      expect(summarise(decoded)).to.deep.equal(['0006547886']);
      expect(decoder.silence?.()).to.be.empty;
    });

    it(`refuses a code that ${what} otherwise, and says what to set`, () => {
      for (const parameters of ['protocol=lines', lines('[0-9]{10}')]) {
        const decoder = decoderOf(parameters);
        const decoded = [...decoder.push(Buffer.from(bytes, 'latin1'), 0), ...(decoder.silence?.() ?? [])];
        expect(summarise(decoded)).to.deep.equal(['FRAME_INVALID']);
        const [message = ''] = decoded.map((frame) => ('fault' in frame ? frame.fault.message : ''));
        expect(message).to.contain('set pattern and match=part').and.not.contain('6547886');
      }
    });
  }

  it('refuses to match a part of a line without a pattern', () => {
    expect(() => decoderOf('protocol=lines&match=part'))
      .to.throw('match needs a pattern')
      .with.nested.property('details.parameter', 'match');
  });

  it('reports a line that the pattern does not match, without its content', () => {
    const decoded = decoderOf(lines('^ID (.*)$')).push(Buffer.from('Ada Lovelace\nID AB\n'), 0);
    expect(summarise(decoded)).to.deep.equal(['FRAME_INVALID', 'AB']);
    expect(problemsOf(decoded)).to.deep.equal(['a line that the pattern does not match']);
    expect(JSON.stringify(decoded)).to.not.match(/Ada|416461/);
  });

  it('reports a line of more than 256 characters once, before it ends', () => {
    const decoder = decoderOf('protocol=lines');
    expect(summarise(decoder.push(Buffer.alloc(257, 'A'), 0))).to.deep.equal(['FRAME_INVALID']);
    expect(decoder.push(Buffer.alloc(10_000, 'A'), 1)).to.be.empty;
    expect(summarise(decoder.push(Buffer.from('\nAB\n'), 2))).to.deep.equal(['AB']);
  });

  it('reports a line without its end after a silence, and begins a new one then', () => {
    const decoder = decoderOf('protocol=lines');
    decoder.push(Buffer.from('62E3'), 0);
    const decoded = decoder.silence?.() ?? [];
    expect(problemsOf(decoded)).to.deep.equal(['a line without its end']);
    expect(summarise(decoder.push(Buffer.from('010063\n \t'), 0))).to.deep.equal(['010063']);
    expect(decoder.silence?.()).to.be.empty;
  });

  it('stops a pattern that takes very long for a line, and pauses for 5 seconds', () => {
    const decoder = decoderOf(lines('^(a+)+$'));
    const trap = `${'a'.repeat(60)}!\n`;
    expect(summarise(decoder.push(Buffer.from(trap.repeat(100)), 0))).to.deep.equal(['FRAME_INVALID']);
    expect(decoder.push(Buffer.from('aaa\n'), 4_999)).to.be.empty;
    expect(summarise(decoder.push(Buffer.from('aaa\n'), 5_000))).to.deep.equal(['aaa']);
  });
});

describe('LinePattern', () => {
  it('gives the group, or the whole match without a group', () => {
    expect(new LinePattern('a(b)c').find('abc')).to.deep.equal({ text: 'b' });
    expect(new LinePattern('a(?:b)c').find('abc')).to.deep.equal({ text: 'abc' });
    expect(new LinePattern('abc').find('ab')).to.deep.equal({
      problem: 'a line that the pattern does not match',
    });
  });

  const wrong: readonly (readonly [pattern: string, message: string])[] = [
    ['', 'pattern is 1 to 200 characters; got 0'],
    ['a'.repeat(201), 'pattern is 1 to 200 characters; got 201'],
    ['(a', 'pattern is a regular expression; got "(a"'],
    ['a)|(?:a', 'pattern is a regular expression; got "a)|(?:a"'],
    ['a\\', 'pattern is a regular expression'],
    ['(a)(b)', 'pattern has at most one group, the id; write (?:…) for other groups; got 2'],
  ];
  for (const [pattern, message] of wrong) {
    it(`refuses ${pattern.slice(0, 10)}`, () => {
      expect(() => new LinePattern(pattern))
        .to.throw(message)
        .with.property('code', 'INVALID_OPTION');
    });
  }
});

describe('protocol=parallax', () => {
  it('decodes 10 digits between LF and CR', () => {
    expect(decode('protocol=parallax', '\n0F0184F07A\r\n0415148F26\r')).to.deep.equal([
      '0F0184F07A',
      '0415148F26',
    ]);
  });

  it('reports a line of another length and a blank one', () => {
    expect(decode('protocol=parallax', '84F07A\r\n0000000000\r\n0F0184F07A00\r')).to.deep.equal([
      'FRAME_INVALID',
      'BLANK_TALLY_ID',
      'FRAME_INVALID',
    ]);
  });
});

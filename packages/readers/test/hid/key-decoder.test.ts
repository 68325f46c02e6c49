import { expect } from 'chai';
import fc from 'fast-check';
import { KeyDecoder, type KeyEvent } from '../../src/hid/key-decoder.js';
import { keyboardLayouts, type KeyboardLayoutName } from '../../src/hid/keyboard-layouts.js';
import { press, type } from './typed-keys.js';

const SILENCE_MS = 200;
const ENTER = 28;
const KP_ENTER = 96;
const LEFT_SHIFT = 42;
const RIGHT_SHIFT = 54;
const LEFT_CTRL = 29;
const NUM_LOCK = 69;
/** Shift, Ctrl, Alt and Meta. */
const HELD_KEYS = [LEFT_SHIFT, RIGHT_SHIFT, LEFT_CTRL, 97, 56, 100, 125, 126];

const decoderFor = (layout: KeyboardLayoutName = 'us'): KeyDecoder =>
  new KeyDecoder(keyboardLayouts[layout], SILENCE_MS);

function decode(events: readonly KeyEvent[], decoder = decoderFor()): string[] {
  return events.flatMap((event) => decoder.push(event));
}

/** The text of keys without and with shift, each followed by Enter. */
function written(layout: KeyboardLayoutName, codes: readonly number[]): string[] {
  const keys = [...codes, ENTER].flatMap((code) => press(code, 0));
  return decode([...keys, { code: LEFT_SHIFT, value: 1, timeMs: 0 }, ...keys], decoderFor(layout));
}

const ROW = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const A_TO_F_BY_LAYOUT = {
  us: [30, 48, 46, 32, 18, 33],
  de: [30, 48, 46, 32, 18, 33],
  fr: [16, 48, 46, 32, 18, 33],
} as const;

describe('KeyDecoder', () => {
  it('makes text from the keys of a real reader of 10 digits', () => {
    // Events of a number pad: the digits and Enter, each pressed and released.
    const codes = [11, 11, 11, 7, 6, 5, 8, 9, 9, 7, ENTER];
    expect(decode(codes.flatMap((code, index) => press(code, 8 * index)))).to.deep.equal(['0006547886']);
  });

  it('reads any number of texts one after another, with any time between them', () => {
    const line = fc.tuple(
      fc.string({
        unit: fc.constantFrom(...Array.from('0123456789abcdefABCDEF,:-')),
        minLength: 1,
        maxLength: 20,
      }),
      fc.nat(5_000),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
        let nowMs = 0;
        const events = lines.flatMap(([text, gapMs]) => {
          nowMs += gapMs + 400;
          return type(`${text}\n`, nowMs);
        });
        expect(decode(events)).to.deep.equal(lines.map(([text]) => text));
      }),
      { numRuns: 200 },
    );
  });

  it('gives trimmed text of limited length for all keys, and reads the text after them completely', () => {
    const event = fc.record({ code: fc.nat(130), value: fc.nat(2), afterMs: fc.nat(300) });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (drawn) => {
        let timeMs = 0;
        const decoder = decoderFor();
        for (const { code, value, afterMs } of drawn) {
          timeMs += afterMs;
          for (const run of decoder.push({ code, value, timeMs })) {
            expect(run).to.equal(run.trim());
            expect(run).to.have.length.within(1, 1_001);
          }
        }
        decoder.end();
        expect(
          decode(
            [...HELD_KEYS.flatMap((code) => press(code, timeMs)), ...type('0006547886\n', timeMs)],
            decoder,
          ),
        ).to.deep.equal(['0006547886']);
      }),
      { numRuns: 200 },
    );
  });

  describe('by layout', () => {
    it('gives the row of digits of each layout', () => {
      expect(written('us', ROW)).to.deep.equal(['1234567890', '!@#$%^&*()']);
      expect(written('de', ROW)).to.deep.equal(['1234567890', '!"§$%&/()=']);
      expect(written('fr', ROW)).to.deep.equal([`&é"'(-è_çà`, '1234567890']);
    });

    it('gives the hex digits above 9 of each layout', () => {
      for (const [layout, codes] of Object.entries(A_TO_F_BY_LAYOUT)) {
        expect(written(layout as KeyboardLayoutName, codes), layout).to.deep.equal(['abcdef', 'ABCDEF']);
      }
    });

    it('gives the separators of ids in each layout', () => {
      // Comma, dot, slash and minus: the keys that write them with or without shift.
      expect(written('us', [51, 52, 53, 12])).to.deep.equal([',./-', '<>?_']);
      expect(written('us', [39])).to.deep.equal([';', ':']);
      expect(written('de', [51, 52, 53, 8])).to.deep.equal([',.-7', ';:_/']);
      expect(written('fr', [50, 51, 52, 7])).to.deep.equal([',;:-', '?./6']);
    });

    it('gives Y and Z at their places in each layout', () => {
      expect(
        ['us', 'de', 'fr'].map((layout) => written(layout as KeyboardLayoutName, [21, 44])[0]),
      ).to.deep.equal(['yz', 'zy', 'yw']);
    });

    it('gives the key beside the left shift, and the backslash', () => {
      expect(written('us', [86, 43])).to.deep.equal(['\\\\', '||']);
      expect(written('de', [86, 43])).to.deep.equal(['<#', ">'"]);
      expect(written('fr', [86, 43])).to.deep.equal(['<*', '>µ']);
    });

    it('gives the same number pad in all layouts, except its comma', () => {
      const pad = [82, 79, 80, 81, 75, 76, 77, 71, 72, 73];
      for (const layout of ['us', 'de', 'fr'] as const) {
        expect(written(layout, pad), layout).to.deep.equal(['0123456789', '0123456789']);
        expect(written(layout, [55, 74, 78, 98]), layout).to.deep.equal(['*-+/', '*-+/']);
      }
      expect(
        ['us', 'de', 'fr'].map((layout) => written(layout as KeyboardLayoutName, [83])[0]),
      ).to.deep.equal(['.', ',', '.']);
    });
  });

  it('ends a run also with the Enter of the number pad, and ignores a second Enter', () => {
    expect(
      decode([...type('123456'), ...press(KP_ENTER, 50), ...press(ENTER, 60), ...type('78\n', 70)]),
    ).to.deep.equal(['123456', '78']);
  });

  it('ends a run with more silence than the set time, and not with less', () => {
    const decoder = decoderFor();
    expect(decode([...press(2, 0), ...press(3, 1 + SILENCE_MS)], decoder)).to.deep.equal([]);
    expect(decode(press(4, 3 + 2 * SILENCE_MS), decoder)).to.deep.equal(['12']);
    expect(decoder.end()).to.deep.equal(['3']);
    expect(decoder.end()).to.deep.equal([]);
  });

  it('does not treat a clock that is set back as silence', () => {
    expect(decode([...press(2, 5_000), ...press(3, 0), ...press(ENTER, 8)])).to.deep.equal(['12']);
  });

  it('reads the number pad regardless of Num Lock', () => {
    const lock = (timeMs: number): readonly KeyEvent[] => press(NUM_LOCK, timeMs);
    const events = [
      ...lock(0),
      ...press(82, 2),
      ...lock(4),
      ...press(79, 6),
      ...lock(8),
      ...press(KP_ENTER, 10),
      ...lock(12),
    ];
    expect(decode(events)).to.deep.equal(['01']);
  });

  it('holds shift across runs, until both are up', () => {
    const shift = (code: number, value: number): KeyEvent => ({ code, value, timeMs: 0 });
    const key = press(30, 0);
    const enter = press(ENTER, 0);
    const held = [
      shift(LEFT_SHIFT, 1),
      ...key,
      ...enter,
      shift(LEFT_SHIFT, 2),
      ...key,
      shift(RIGHT_SHIFT, 1),
      shift(LEFT_SHIFT, 0),
    ];
    expect(decode([...held, ...key, ...enter, shift(RIGHT_SHIFT, 0), ...key, ...enter])).to.deep.equal([
      'A',
      'AA',
      'a',
    ]);
  });

  it('counts a key that is held once', () => {
    expect(
      decode([
        { code: 2, value: 1, timeMs: 0 },
        { code: 2, value: 2, timeMs: 1 },
        { code: 2, value: 2, timeMs: 2 },
        ...press(ENTER, 3),
      ]),
    ).to.deep.equal(['1']);
  });

  it('puts a character that no id has for a key without text', () => {
    const F5 = 63;
    expect(decode([...press(2, 0), ...press(F5, 1), ...press(3, 2), ...press(ENTER, 3)])).to.deep.equal([
      '1\uFFFD2',
    ]);
  });

  it('removes white space around a run, and ends a run with Tab', () => {
    expect(
      decode([
        ...press(15, 0),
        ...press(57, 0),
        ...press(2, 0),
        ...press(57, 0),
        ...press(3, 0),
        ...press(15, 0),
        ...press(ENTER, 0),
      ]),
    ).to.deep.equal(['1 2']);
    expect(decode([...press(57, 0), ...press(ENTER, 0)])).to.deep.equal([]);
  });

  it('does not read keys with Ctrl, Alt, AltGr or Meta as characters of the layout', () => {
    for (const modifier of [LEFT_CTRL, 97, 56, 100, 125, 126]) {
      const held = { code: modifier, timeMs: 0 };
      expect(
        decode([
          ...press(2, 0),
          { ...held, value: 1 },
          ...press(16, 0),
          { ...held, value: 0 },
          ...press(3, 0),
          ...press(ENTER, 0),
        ]),
      ).to.deep.equal(['1\uFFFD2']);
    }
  });

  it('cuts an endless run at one character more than an id of text can have', () => {
    const [run] = decode([...Array.from({ length: 10_000 }, () => press(2, 0)).flat(), ...press(ENTER, 0)]);
    expect(run).to.equal('1'.repeat(1_001));
  });

  describe('when keys were lost', () => {
    it('drops their run, up to its end', () => {
      const decoder = decoderFor();
      expect(decode(type('123'), decoder)).to.deep.equal([]);
      decoder.spoil(30);
      expect(decode(type('456\n', 50), decoder)).to.deep.equal([]);
      expect(decode(type('789\n', 100), decoder)).to.deep.equal(['789']);
    });

    it('drops the run also if its beginning was lost and it ends with silence', () => {
      const decoder = decoderFor();
      decoder.spoil(995);
      expect(decode([...type('123', 1_000), ...type('456\n', 2_000)], decoder)).to.deep.equal(['456']);
    });

    it('treats all keys as released', () => {
      const decoder = decoderFor();
      decode(
        [LEFT_SHIFT, LEFT_CTRL].map((code) => ({ code, value: 1, timeMs: 0 })),
        decoder,
      );
      decoder.spoil(0);
      decoder.end();
      expect(decode([...press(2, 1), ...press(ENTER, 2)], decoder)).to.deep.equal(['1']);
    });
  });
});

import { expect } from 'chai';
import { parseEvtestLine } from '../../src/hid/grab-keyboard.js';

describe('parseEvtestLine', () => {
  const at = 'Event: time 1732611128.125000';

  it('reads a key and its time', () => {
    expect(parseEvtestLine(`${at}, type 1 (EV_KEY), code 2 (KEY_1), value 1`)).to.deep.equal({
      kind: 'key',
      key: { code: 2, value: 1, timeMs: 1_732_611_128_125 },
    });
    expect(parseEvtestLine(`${at}, type 1 (EV_KEY), code 96 (KEY_KPENTER), value 0`)).to.have.nested.property(
      'key.code',
      96,
    );
  });

  const kinds: readonly (readonly [string, string | undefined])[] = [
    ['    Event code 2 (KEY_1)', 'has-digits'],
    ['    Event code 79 (KEY_KP1)', 'has-digits'],
    ['    Event code 10 (KEY_9)', undefined],
    ['    Event code 2 (REL_Z)', undefined],
    ['    Event code 272 (BTN_LEFT)', undefined],
    ['Testing ... (interrupt to exit)', 'watching'],
    ['  This device is grabbed by another process.', 'grabbed'],
    ['  No events are available to evtest while the', undefined],
    [`${at}, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<`, 'dropped'],
    [`${at}, -------------- SYN_REPORT ------------`, undefined],
    [`${at}, type 4 (EV_MSC), code 4 (MSC_SCAN), value 7001e`, undefined],
    [`${at}, type 17 (EV_LED), code 0 (LED_NUML), value 1`, undefined],
    ['Input device name: "Testing ... RFID reader"', undefined],
    ['', undefined],
  ];
  for (const [line, kind] of kinds) {
    it(`reads ${JSON.stringify(line)} as ${kind ?? 'irrelevant'}`, () => {
      expect(parseEvtestLine(line)?.kind).to.equal(kind);
    });
  }
});

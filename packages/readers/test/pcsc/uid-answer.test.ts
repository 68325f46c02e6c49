import { expect } from 'chai';
import { askForUid, parseUidAnswer } from '../../src/pcsc/uid-answer.js';

/** Short form of the result for an answer. */
function parse(hex: string): unknown {
  const answer = parseUidAnswer(Buffer.from(hex, 'hex'));
  if ('uid' in answer) return Buffer.from(answer.uid).toString('hex').toUpperCase();
  return 'length' in answer ? answer.length : answer.fault.details['problem'];
}

describe('parseUidAnswer', () => {
  const answers: readonly (readonly [what: string, hex: string, expected: unknown])[] = [
    ['a UID of 4 bytes', '0476BFE19000', '0476BFE1'],
    ['a UID of 7 bytes', '04A2B3C4D5E6809000', '04A2B3C4D5E680'],
    ['a UID of 10 bytes', '04A2B3C4D5E68001020390' + '00', '04A2B3C4D5E680010203'],
    ['an id of ISO 15693', 'E0040150112233449000', 'E004015011223344'],
    ['all available bytes, fewer than requested', '0476BFE16282', '0476BFE1'],
    ['a demand to request 4 bytes', '6C04', 4],
    ['nothing', '', 'taken away'],
    ['no data', '6282', 'answer 6282'],
    ['a failure', '6300', 'answer 6300'],
    ['an unsupported command', '6A81', 'answer 6A81'],
    ['the answer of a card with contacts', '6D00', 'answer 6D00'],
    ['a UID in an unsuccessful answer', '0476BFE16A82', 'an answer of 6 bytes'],
    ['half an answer', '90', 'answer 90'],
  ];
  for (const [what, hex, expected] of answers) {
    it(`understands ${what}: ${hex}`, () => {
      expect(parse(hex)).to.equal(expected);
    });
  }
});

describe('askForUid', () => {
  it('is GET DATA, for all bytes or for a number of bytes', () => {
    expect(Buffer.from(askForUid()).toString('hex')).to.equal('ffca000000');
    expect(Buffer.from(askForUid(7)).toString('hex')).to.equal('ffca000007');
  });
});

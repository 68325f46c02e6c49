import { dictionary } from '@zxcvbn-ts/language-common';
import { expect } from 'chai';
import { PASSWORD_MIN_LENGTH } from '@tallybook/domain/access';
import { isCommonPassword } from '../src/passwords/is-common-password.js';

const common = dictionary['passwords-common'].filter((each) => each.length >= PASSWORD_MIN_LENGTH);

function isTaken(password: string): boolean {
  return !isCommonPassword(password);
}

describe('Passwords that are tried first', () => {
  it('are known: the 4,000 most common ones of sufficient length', () => {
    expect(common.slice(0, 4_000).filter(isTaken)).to.deep.equal([]);
  });

  it('are known also with digits and signs around them, with digits for letters, and in capitals', () => {
    const variants = [
      'maverick1',
      '!samantha!',
      'M4V3RICK',
      'Samantha1987',
      'SCORPION',
      'startrek',
      '24121987',
    ];
    expect(variants.filter(isTaken)).to.deep.equal([]);
  });

  it('do not include unusual ones', () => {
    const own = ['maverick and samantha', 'tr0ubadour&3', '98241355', 'vier Esel im Regen'];
    expect(own.filter(isTaken)).to.deep.equal(own);
  });
});

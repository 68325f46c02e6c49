import { expect } from 'chai';
import {
  namedReader,
  nameOfReader,
  proposeName,
  readerWithoutName,
  unconfirmedReader,
} from '../../src/state/reader-urls.js';

const LINE = 'serial:/dev/ttyUSB0';
const PINS = 'wiegand:pinctrl-rp1?d0=17&d1=18';

describe('The URL of a reader', () => {
  it('has a name, which may contain anything that a URL gives a meaning', () => {
    for (const url of [LINE, PINS, 'pcsc:ACR122%20U']) {
      expect(nameOfReader(url)).to.equal('');
      for (const name of ['Entrance', 'Gate 1 & 2 + #3?', 'a@b=c 50 %', 'Eingang Süd']) {
        const named = namedReader(url, ` ${name} `);
        expect(nameOfReader(named)).to.equal(name);
        expect(named).not.to.match(/[@#+ ]/);
        expect(readerWithoutName(named)).to.equal(url);
      }
    }
  });

  it('is without a name again when that is empty', () => {
    expect(namedReader(namedReader(PINS, 'Entrance'), ' ')).to.equal(PINS);
  });

  it('keeps its other parameters, and its name, when one reading is enough', () => {
    const url = unconfirmedReader(`${LINE}?protocol=em18&name=Entrance`);
    expect(url).to.equal(`${LINE}?protocol=em18&name=Entrance&confirm=1`);
    expect(readerWithoutName(url)).to.equal(`${LINE}?protocol=em18`);
  });

  it('keeps a question mark in a parameter when its name changes', () => {
    const url = namedReader(`${LINE}?pattern=a?b`, 'Entrance');
    expect(new URL(url).searchParams.get('pattern')).to.equal('a?b');
    expect(nameOfReader(url)).to.equal('Entrance');
  });

  it('gets the first name that no other reader has, unless it has one', () => {
    const first = proposeName(LINE, [], 'Entrance');
    const second = proposeName(PINS, [first], 'Entrance');
    const third = proposeName('hid:a', [second, first, 'hid:b'], 'Entrance');
    expect([first, second, third].map(nameOfReader)).to.deep.equal(['Entrance', 'Entrance 2', 'Entrance 3']);
    expect(proposeName(first, [second], 'Gate')).to.equal(first);
  });
});

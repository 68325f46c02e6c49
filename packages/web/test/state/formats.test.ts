import { expect } from 'chai';
import { createFormats, type Formats } from '../../src/state/formats.js';
import { NOON, TODAY } from '../fixtures/stub-service.js';

describe('the formats', () => {
  const own = process.env['TZ'];
  afterEach(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });

  /** The formats in a browser whose zone is the first one. */
  function inBrowser(browserZone: string, language: string, zone: string): Formats {
    process.env['TZ'] = browserZone;
    return createFormats(language, zone);
  }

  it('write times in the zone of the service', () => {
    const inTokyo = (language: string): Formats => inBrowser('Asia/Tokyo', language, 'Asia/Tokyo');
    expect(inTokyo('en-GB').time(NOON)).to.equal('21:00');
    expect(inTokyo('de').longDate(NOON)).to.equal('Sonntag, 22. November 2026');
    expect(inTokyo('de').seconds(NOON + 7)).to.equal('21:00:07');
    expect(inTokyo('de').dateTime(NOON)).to.equal('22. Nov. 2026, 21:00');
  });

  it('name the zone of the service if the browser has another', () => {
    const ofBerlin = inBrowser('Europe/Berlin', 'en-GB', 'UTC');
    expect(ofBerlin.time(NOON)).to.equal('12:00 UTC');
    expect(ofBerlin.seconds(NOON)).to.equal('12:00:00 UTC');
    expect(ofBerlin.dateTime(NOON)).to.equal('22 Nov 2026, 12:00 UTC');
    const german = inBrowser('UTC', 'de', 'Europe/Berlin');
    expect([german.time(NOON), german.time(NOON - 180 * 86_400)]).to.deep.equal(['13:00 MEZ', '14:00 MESZ']);
  });

  it('do not name a zone that the browser calls by another name', () => {
    expect(inBrowser('Asia/Calcutta', 'en-GB', 'Asia/Kolkata').time(NOON)).to.equal('17:30');
    expect(inBrowser('UTC', 'en-GB', 'Etc/UTC').time(NOON)).to.equal('12:00');
  });

  it('take UTC for a zone that the browser does not know', () => {
    expect(inBrowser('UTC', 'en-GB', 'Mars/Olympus').time(NOON)).to.equal('12:00');
  });

  for (const [seconds, words] of [
    [0, '0 seconds'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [7_200, '2 hours'],
    [200_000, '2 days'],
  ] as const) {
    it(`write ${seconds} seconds as ${words}`, () => {
      expect(createFormats('en', 'UTC').duration(seconds)).to.equal(words);
    });
  }

  it('write a day with the same date everywhere, as the language does', () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
      const formats = createFormats('de', zone);
      expect(formats.day(TODAY)).to.equal('Sonntag, 22. November 2026');
      expect(formats.shortDay(TODAY - 15)).to.equal('Sa., 07.11.2026');
      expect(formats.dayRange(TODAY - 21, TODAY).replaceAll(/\s/gu, ' ')).to.match(
        /^1\. ?– ?22\. November 2026$/,
      );
      expect([formats.month(TODAY), formats.weekday(TODAY)]).to.deep.equal(['November', 'So']);
    }
  });

  it('write a time of day with two digits each, wherever the service is', () => {
    expect(createFormats('de', 'Asia/Tokyo').timeOfDay(8 * 60 + 5)).to.equal('08:05');
  });

  it('write numbers, and begin weeks, as the language does', () => {
    const [german, english] = [createFormats('de-DE', 'UTC'), createFormats('en-US', 'UTC')];
    expect([german.number(1_234_567), english.number(1_234_567)]).to.deep.equal(['1.234.567', '1,234,567']);
    expect([german.firstOfWeek(), english.firstOfWeek()]).to.deep.equal([1, 7]);
  });

  for (const [bytes, words] of [
    [0, '0 byte'],
    [999, '999 byte'],
    [1_000, '1 kB'],
    [3_216_000_000, '3.22 GB'],
    [5e15, '5,000 TB'],
  ] as const) {
    it(`write ${bytes} bytes as ${words}`, () => {
      expect(createFormats('en', 'UTC').bytes(bytes)).to.equal(words);
    });
  }

  for (const [first, last, called, listed] of [
    ['Ada', 'Lovelace', 'Ada Lovelace', 'Lovelace, Ada'],
    ['Ada', '', 'Ada', 'Ada'],
    ['', 'Lovelace', 'Lovelace', 'Lovelace'],
  ] as const) {
    it(`call somebody ${called}, and ${listed} in a list`, () => {
      const formats = createFormats('en', 'UTC');
      expect([formats.name({ first, last }), formats.listName({ first, last })]).to.deep.equal([
        called,
        listed,
      ]);
    });
  }
});

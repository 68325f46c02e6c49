import { TallybookClientError } from '@tallybook/client';
import { expect } from 'chai';
import { de } from '../src/texts/de.js';
import { en } from '../src/texts/en.js';
import { chooseLanguage } from '../src/texts/languages.js';
import type { Language } from '../src/texts/language.js';
import { accessTexts } from '../src/texts/topics/access.js';
import { auditTexts } from '../src/texts/topics/audit.js';
import { systemTexts } from '../src/texts/topics/system.js';
import { correctionTexts } from '../src/texts/topics/corrections.js';
import { groupTexts } from '../src/texts/topics/groups.js';
import { guestTexts } from '../src/texts/topics/guests.js';
import { listTexts } from '../src/texts/topics/lists.js';
import { passkeyTexts } from '../src/texts/topics/passkeys.js';
import { peopleTexts } from '../src/texts/topics/people.js';
import { personalTexts } from '../src/texts/topics/personal.js';
import { phoneReaderTexts } from '../src/texts/topics/phone-reader.js';
import { providerTexts } from '../src/texts/topics/provider.js';
import { stationTexts } from '../src/texts/topics/stations.js';
import { settingsTexts } from '../src/texts/topics/settings.js';
import { signInTexts } from '../src/texts/topics/sign-in.js';
import { pluralOf } from '../src/texts/language.js';
import { actorOf, groupedId, wordsOf, wordsOfFailure } from '../src/parts/words.js';
import { answerOf } from '../src/pages/kiosk/kiosk-page.js';
import type { Tap } from '../src/state/service.js';

/** Every text by its path. Functions are called with a number or with a placeholder text. */
function textsOf(messages: unknown, count: number, path = ''): [string, string][] {
  if (typeof messages === 'string') return [[path, messages]];
  if (typeof messages === 'function') {
    const make = messages as (...args: unknown[]) => string;
    const args = path.endsWith('announce') ? [['Ada', 'Grace'], count, count] : [count, count, count, count];
    return [[path, make(...args)]];
  }
  return Object.entries(messages as object).flatMap(([key, each]) => textsOf(each, count, `${path}.${key}`));
}

/** Topics whose texts are loaded with their page. */
const topics = {
  accessTexts,
  auditTexts,
  systemTexts,
  correctionTexts,
  groupTexts,
  guestTexts,
  listTexts,
  passkeyTexts,
  peopleTexts,
  personalTexts,
  phoneReaderTexts,
  providerTexts,
  settingsTexts,
  signInTexts,
  stationTexts,
};

function withTopics(language: Language): unknown {
  const all = Object.entries(topics).map(([name, topic]) => [name, topic[language]] as const);
  return { ...{ en, de }[language], ...Object.fromEntries(all) };
}

describe('the texts', () => {
  for (const language of ['en', 'de'] as const) {
    for (const count of [0, 1, 2, 1_000]) {
      it(`are all there in ${language}, with ${count}`, () => {
        for (const [path, text] of textsOf(withTopics(language), count)) {
          expect(text, path).to.match(/\S/);
          expect(text, path).not.to.match(/#|undefined|\[object| {2}|^\s|\s$/);
        }
      });
    }
  }

  it('name no flag: who reads a page has no command line', () => {
    for (const language of ['en', 'de'] as const)
      for (const [path, text] of textsOf(withTopics(language), 1)) expect(text, path).not.to.match(/--[a-z]/);
  });

  it('say in each language what they say in the others', () => {
    const pathsIn = (language: Language): readonly string[] =>
      textsOf(withTopics(language), 1).map(([path]) => path);
    expect(pathsIn('de')).to.have.members(pathsIn('en'));
  });

  it('are another one in each language, but for a few words', () => {
    const english = new Map(textsOf(withTopics('en'), 2));
    const same = textsOf(withTopics('de'), 2).filter(([path, text]) => english.get(path) === text);
    expect(same.map(([path]) => path)).to.deep.equal([
      '.app.name',
      '.connection.live',
      '.columns.name',
      '.kiosk.title',
      '.systemTexts.version',
      '.correctionTexts.by',
      '.passkeyTexts.title',
      '.peopleTexts.title',
      '.personalTexts.units',
      '.stationTexts.version',
    ]);
  });

  it('have the form that the language has for the number', () => {
    expect(en.today.unnamed(1)).to.equal('1 unnamed tag');
    expect(en.today.unnamed(2)).to.equal('2 unnamed tags');
    expect(de.days.people(1_000)).to.equal('1.000 Personen');
    expect(pluralOf('cs')({ few: '# lidé', other: '# lidí' })(3)).to.equal('3 lidé');
    expect(personalTexts.de.goes(1, 1)).to.equal('Heute würden gelöscht: 1 Tag mit 1 Eintrag.');
    expect(personalTexts.de.goes(2, 3)).to.equal('Heute würden gelöscht: 2 Tage mit 3 Einträgen.');
  });

  for (const [keep, english, german] of [
    ['24months', '24 months', '24 Monate'],
    ['1day', '1 day', '1 Tag'],
    ['1days', '1 day', '1 Tag'],
    ['1year', '1 year', '1 Jahr'],
    ['10years', '10 years', '10 Jahre'],
    ['3weeks', '3weeks', '3weeks'],
    ['-3days', '-3days', '-3days'],
    ['3days2hours', '3days2hours', '3days2hours'],
  ] as const) {
    it(`say "${english}" and "${german}" where the service keeps days for ${keep}`, () => {
      const { en: inEnglish, de: inGerman } = personalTexts;
      expect([inEnglish.units(keep), inGerman.units(keep)]).to.deep.equal([english, german]);
    });
  }

  it('say why a backup was not searched, in German too', () => {
    const { de: inGerman } = personalTexts;
    expect(inGerman.unsearched('not a file')).to.equal(
      '(vielleicht: ließ sich nicht durchsuchen, keine Datei)',
    );
    expect(inGerman.unsearched('ENOENT')).to.equal('(vielleicht: ließ sich nicht durchsuchen, ENOENT)');
  });

  for (const [wanted, language, locale] of [
    [['de-AT', 'en'], 'de', 'de-AT'],
    [['fr', 'DE'], 'de', 'DE'],
    [['en-US', 'de'], 'en', 'en-US'],
    [['fr', 'ja'], 'en', 'en'],
    [[], 'en', 'en'],
  ] as const) {
    it(`are in ${language} for a browser that wants ${wanted.join(', ') || 'nothing'}`, () => {
      const chosen = chooseLanguage(wanted);
      expect([chosen.messages.language, chosen.locale]).to.deep.equal([language, locale]);
    });
  }
});

describe('who did something', () => {
  for (const [actor, words] of [
    ['ada', 'ada'],
    ['anyone', 'jemand (ohne Anmeldung)'],
    ['token wall', 'token wall'],
  ] as const) {
    it(`is called "${words}" if the service says "${actor}"`, () => {
      expect(actorOf(actor, de)).to.equal(words);
    });
  }
});

describe('the reason for a failure', () => {
  it('is in the language of the page: in German, a code stands for the English words of the service', () => {
    const erased = new TallybookClientError('http', 'this tag was erased', {
      status: 409,
      code: 'TAG_ERASED',
    });
    expect(wordsOfFailure(erased, en)).to.equal('The service could not do it: this tag was erased');
    expect(wordsOfFailure(erased, de)).to.equal('Der Dienst konnte es nicht (TAG_ERASED).');
    const plain = new TallybookClientError('http', 'Misdirected Request', { status: 421 });
    expect(wordsOfFailure(plain, de)).to.equal('Der Dienst konnte es nicht (421).');
    expect(wordsOfFailure(new Error('boom'), de)).to.equal('Der Dienst konnte es nicht.');
    const tag = new TallybookClientError('http', 'a tally id is', { status: 400, code: 'INVALID_TALLY_ID' });
    expect(wordsOfFailure(tag, de)).to.equal(de.failure.codes.INVALID_TALLY_ID);
  });
});

describe('the answer to a tap', () => {
  const ada = { first: 'Ada', last: 'Lovelace' };
  const tap = { id: '04A2B3C4D5', reader: 'door' } as const;
  const recorded = { ...tap, day: 1, at: 90_000, person: null } as const;
  const provisional = {
    ...tap,
    person: null,
    day: null,
    at: null,
    sequence: 1,
    outcome: 'provisional',
  } as const;
  const cases: readonly (readonly [Tap, string, string])[] = [
    [{ ...recorded, outcome: 'counted', name: ada }, 'welcome', en.tap.counted],
    [{ ...recorded, outcome: 'already-counted', name: ada }, 'again', en.tap.alreadyCounted],
    [{ ...recorded, outcome: 'counted', name: null, holder: 'lost' }, 'unknown', en.tap.counted],
    [{ ...recorded, outcome: 'counted', name: null }, 'unknown', en.tap.counted],
    [{ ...provisional, name: ada }, 'waiting', en.tap.provisional],
    [{ ...tap, outcome: 'failed', isKept: true }, 'waiting', en.tap.failedKept],
    [{ ...tap, outcome: 'failed', isKept: false }, 'refused', en.tap.failedLost],
  ];
  for (const [each, answer, words] of cases) {
    it(`is "${answer}" and "${words}"`, () => {
      expect([answerOf(each), wordsOf(each, en)]).to.deep.equal([answer, words]);
    });
  }

  it('shows an id in pairs', () => {
    expect(groupedId('04A2B3')).to.equal('04 A2 B3');
  });
});

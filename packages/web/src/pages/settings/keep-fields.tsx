import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Select } from '../../parts/form/field.js';
import { firstKeptDay, type SettingsForm } from '../../state/settings.js';
import { personalTexts } from '../../texts/topics/personal.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import { Effect } from './effect.js';
import { Given } from './given.js';

/** The choices for days; empty is for ever. */
const DAYS = ['', '12months', '24months', '10years'];
const GUESTS = ['7days', '30days', '90days', '12months', 'never'];

/** How long days and guests are kept. A shorter time says at once what it removes. */
export function KeepFields({ form }: { readonly form: SettingsForm }): VNode {
  const { session, formats, words, texts } = usePage(settingsTexts);
  const { units } = personalTexts[texts.language];
  const today = session.clock.told.value?.day;
  /** The first day that a shorter time keeps; `undefined` if it keeps no less than now. */
  const shortened = (name: 'keep' | 'keepGuests'): string | undefined => {
    const first = today === undefined ? 0 : firstKeptDay(form[name].value, today);
    const isShorter = name in form.changes() && first > firstKeptDay(form.textOf(name), today ?? 0);
    return isShorter ? formats.shortDay(first) : undefined;
  };
  const wordsFor = (keep: string): string =>
    keep === '' ? words.keepAll : keep === 'never' ? words.keepGuestsNever : units(keep);
  const choice = (name: 'keep' | 'keepGuests', choices: readonly string[]): VNode => {
    const { value } = form[name];
    const label = name === 'keep' ? words.keep : words.keepGuests;
    if (form.isGiven(name)) return <Given label={label} value={wordsFor(value)} />;
    const saved = form.textOf(name) || value;
    const all = choices.includes(saved) ? choices : [saved, ...choices];
    return (
      <Select
        label={label}
        value={value}
        options={all.map((each) => [each, wordsFor(each)])}
        onChoose={(chosen) => (form[name].value = chosen)}
      />
    );
  };
  const day = shortened('keep');
  const guestsDay = shortened('keepGuests');
  return (
    <>
      {choice('keep', DAYS)}
      <Effect text={day === undefined ? undefined : words.effect.keep(day, wordsFor(form.keep.value))} />
      {choice('keepGuests', GUESTS)}
      <Effect text={guestsDay === undefined ? undefined : words.effect.guests(guestsDay)} />
    </>
  );
}

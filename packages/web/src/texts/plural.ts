import { lazily } from '../lazily.js';

/** Forms of a text for a number, which replaces `#`. Missing forms are as `other`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/**
 * Chooses the form that a language has for a number.
 *
 * @param language A BCP 47 tag.
 */
export function pluralOf(language: string): (forms: Forms) => (count: number) => string {
  const rules = lazily(() => new Intl.PluralRules(language));
  const numbers = lazily(() => new Intl.NumberFormat(language));
  return (forms) => (count) =>
    (forms[rules().select(count)] ?? forms.other).replace('#', numbers().format(count));
}

import { lazily } from '../lazily.js';

/** Forms of a text with a number, which replaces `#`. A missing form is the same as `other`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/**
 * Makes a function that chooses the right form of a language for a number.
 *
 * @param language A BCP 47 tag.
 */
export function pluralOf(language: string): (forms: Forms) => (count: number) => string {
  const rules = lazily(() => new Intl.PluralRules(language));
  const numbers = lazily(() => new Intl.NumberFormat(language));
  return (forms) => (count) =>
    (forms[rules().select(count)] ?? forms.other).replace('#', numbers().format(count));
}

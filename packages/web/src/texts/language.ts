import { lazily } from '../lazily.js';

/** The languages that the page speaks. */
export type Language = 'en' | 'de';

/** The same texts in any language: they have the keys of the English ones, and functions the same parameters. */
export type Texts<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? T[K]
    : T[K] extends (...args: infer Args) => string
      ? (...args: Args) => string
      : Texts<T[K]>;
};

/** Words by keys of the service, which may know more keys. */
export type Words = Readonly<Record<string, string>>;

/** Texts of one page, in each language, loaded with the page. `T` is the type of the English ones. */
export type Topic<T> = Readonly<Record<Language, Texts<T>>>;

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

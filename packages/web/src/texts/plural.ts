/**
 * Chooses the form that a language has for a number. Forms that are left out are `other`.
 *
 * @param language A BCP 47 tag.
 */
export function pluralOf(
  language: string,
): (
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string },
) => string {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
}

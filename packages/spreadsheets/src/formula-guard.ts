/**
 * Text that a spreadsheet program may take for a formula: it begins with one of these characters, including full-width and
 * small forms, possibly after spaces. Text with apostrophes before them matches too and gets one more, so that
 * {@link unguardFormula} returns the original.
 *
 * @see OWASP, CSV Injection
 */
const FORMULA = /^'*(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212])/u;

/** Makes text that no spreadsheet program takes for a formula: adds an apostrophe in front if it could be one. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes {@link guardFormula}, for reading files again. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

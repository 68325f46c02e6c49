/**
 * Text that a spreadsheet may take for a formula: it begins with one of these characters, in full width and small forms too,
 * also after spaces. Text with quotation marks in front of them matches too, and gets one more: so unguarding gives it back.
 *
 * @see OWASP, CSV Injection
 */
const FORMULA = /^'*(?:[\t\r]|\s*[=+\-@＝＋－＠﹦﹢﹣﹫−])/u;

/** Text that no spreadsheet takes for a formula: it gets a quotation mark in front if it could be one. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes {@link guardFormula}, for what is read back. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

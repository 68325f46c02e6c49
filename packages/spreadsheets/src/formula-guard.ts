/**
 * What a spreadsheet may take for a formula: what begins with one of these, in full width and small forms too, also after
 * spaces. Quotation marks in front count, so that what is guarded already can be told from what is not.
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

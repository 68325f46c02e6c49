/** The form in which setup codes are compared: people type small letters, groups, `O` for `0`, and `I` or `L` for `1`. */
export function normaliseSetupCode(text: string): string {
  return text.slice(0, 100).toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

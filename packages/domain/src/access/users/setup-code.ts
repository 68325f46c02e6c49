/** A setup code as it is compared: people write it in small letters, in groups, and take `O` for `0` and `I` or `L` for `1`. */
export function normaliseSetupCode(text: string): string {
  return text.slice(0, 100).toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}

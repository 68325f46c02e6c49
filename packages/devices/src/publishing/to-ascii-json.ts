/** JSON in ASCII. It is the same in every encoding that a client may assume, and has one byte for each character. */
export function toAsciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

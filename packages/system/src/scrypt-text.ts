/** A hash with its salt and its cost. */
export interface ScryptText {
  /** Logarithm of the work factor N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const TEXT =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Limits of the cost of a check, whatever a stored hash demands: 128 MiB, and some seconds. */
const bounds = { ln: [4, 17], r: [1, 8], p: [1, 16] } as const;

/** Reads a hash in PHC format; `undefined` if the text is no such hash, or its cost is outside the bounds. */
export function parseScryptText(text: string): ScryptText | undefined {
  const [, ln, r, p, salt, hash] = TEXT.exec(text) ?? [];
  if (salt === undefined || hash === undefined) return undefined;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (!isWithin(cost.ln, bounds.ln) || !isWithin(cost.r, bounds.r) || !isWithin(cost.p, bounds.p))
    return undefined;
  return { ...cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

/** @see https://github.com/P-H-C/phc-string-format: Base64 without padding. */
export function formatScryptText({ ln, r, p, salt, hash }: ScryptText): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(hash)}`;
}

function isWithin(value: number, [lowest, highest]: readonly [number, number]): boolean {
  return value >= lowest && value <= highest;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/**
 * Writes whole numbers from 0 to 2^53 - 1 one after another, each as unsigned LEB128: seven bits to a byte, the low ones first,
 * and the top bit set in every byte except the last.
 */
export function encodeNumbers(...numbers: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (const number of numbers) {
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new RangeError(`only whole numbers from 0 to 2^53 - 1 can be stored; got ${number}`);
    }
    // No bitwise operators: they cut numbers to 32 bits.
    let rest = number;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

/** Reads what {@link encodeNumbers} wrote. */
export class NumberReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): number {
    let value = 0;
    for (let place = 1; ; place *= 0x80) {
      const byte = this.#bytes[this.#offset++];
      if (byte === undefined) throw new RangeError('the bytes end before the number does');
      value += (byte % 0x80) * place;
      if (!Number.isSafeInteger(value)) throw new RangeError('the number exceeds 2^53 - 1');
      if (byte < 0x80) return value;
    }
  }

  /** Reads the next bytes, without copying them. Throws if there are fewer. */
  take(length: number): Buffer {
    const bytes = this.#bytes.subarray(this.#offset, this.#offset + length);
    if (bytes.length !== length) throw new RangeError('the bytes end before what was announced does');
    this.#offset += length;
    return bytes;
  }

  /** Skips the next bytes. Throws if there are fewer. */
  skip(length: number): void {
    if (this.#offset + length > this.#bytes.length) {
      throw new RangeError('the bytes end before what was announced does');
    }
    this.#offset += length;
  }

  /** How many bytes were read. */
  get offset(): number {
    return this.#offset;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  /** Throws if bytes are left. */
  end(): void {
    if (this.#offset !== this.#bytes.length) throw new RangeError('bytes follow the last number');
  }
}

import type { Random } from '../../random.js';

/** Changes a few bytes. */
export function mutate(random: Random, text: string): string {
  let bytes = text;
  for (let n = random.between(1, 8); n > 0; n--) {
    const at = random.between(0, bytes.length);
    const length = random.between(1, 12);
    const [head, middle, tail] = [bytes.slice(0, at), bytes.slice(at, at + length), bytes.slice(at + length)];
    bytes = random.pick([
      head + noise(random, length) + tail,
      head + noise(random, length) + middle + tail,
      head + tail,
      head + middle + middle + tail,
      tail + head,
      head + middle,
    ]);
  }
  return bytes;
}

export function noise(random: Random, length: number): string {
  const special = '\0\r\n\t :;,%/?#\xff\x80HTTP';
  return Array.from({ length }, () =>
    random.chance(0.3)
      ? special.charAt(random.between(0, special.length - 1))
      : String.fromCharCode(random.between(0, 255)),
  ).join('');
}

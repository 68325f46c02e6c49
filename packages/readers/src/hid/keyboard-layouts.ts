/** Names of the layouts in a URL. */
export type KeyboardLayoutName = 'us' | 'de' | 'fr';

/** The characters of each key, without and with shift, by the number of the key. */
export type KeyboardLayout = ReadonlyMap<number, readonly [plain: string, shifted: string]>;

/**
 * A row of keys with consecutive numbers: the number of the first key, the characters without shift, the characters
 * with shift.
 */
type KeyRow = readonly [first: number, plain: string, shifted: string];

/** Keys that are the same in all layouts. The number pad always writes digits, whatever the state of Num Lock is. */
const COMMON: readonly KeyRow[] = [
  [15, '\t', '\t'],
  [57, ' ', ' '],
  [55, '*', '*'],
  [71, '789-456+1230', '789-456+1230'],
  [98, '/', '/'],
];

/**
 * The rows of letters and digits, each from the left. A dead key counts as the sign printed on it.
 *
 * @see input-event-codes.h of Linux for the numbers.
 */
const ROWS: Readonly<Record<KeyboardLayoutName, readonly KeyRow[]>> = {
  us: [
    [2, '1234567890-=', '!@#$%^&*()_+'],
    [16, 'qwertyuiop[]', 'QWERTYUIOP{}'],
    [30, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
    [43, '\\zxcvbnm,./', '|ZXCVBNM<>?'],
    [83, '.', '.'],
    [86, '\\', '|'],
  ],
  de: [
    [2, '1234567890ß´', '!"§$%&/()=?`'],
    [16, 'qwertzuiopü+', 'QWERTZUIOPÜ*'],
    [30, 'asdfghjklöä^', 'ASDFGHJKLÖÄ°'],
    [43, '#yxcvbnm,.-', "'YXCVBNM;:_"],
    [83, ',', ','],
    [86, '<', '>'],
  ],
  fr: [
    [2, '&é"\'(-è_çà)=', '1234567890°+'],
    [16, 'azertyuiop^$', 'AZERTYUIOP¨£'],
    [30, 'qsdfghjklmù²', 'QSDFGHJKLM%~'],
    [43, '*wxcvbn,;:!', 'µWXCVBN?./§'],
    [83, '.', '.'],
    [86, '<', '>'],
  ],
};

/** The supported layouts. */
export const keyboardLayouts: Readonly<Record<KeyboardLayoutName, KeyboardLayout>> = {
  us: layOut('us'),
  de: layOut('de'),
  fr: layOut('fr'),
};

function layOut(name: KeyboardLayoutName): KeyboardLayout {
  const keys = [...COMMON, ...ROWS[name]].flatMap(([first, plain, shifted]) =>
    Array.from(plain, (sign, index) => [first + index, [sign, shifted.charAt(index)]] as const),
  );
  return new Map(keys);
}

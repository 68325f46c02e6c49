/** The used part of Web NFC, which TypeScript's types of the browser do not have. */
interface TagReader extends EventTarget {
  scan(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Whether this browser reads tags. `insecure`: the page did not come over https; `missing`: the browser cannot. */
export type NfcSupport = 'there' | 'insecure' | 'missing';

export function nfcSupport(): NfcSupport {
  if (readerClass() !== undefined) return 'there';
  return isSecureContext ? 'missing' : 'insecure';
}

/**
 * Reads tags until the signal ends it. Call it on a click: the browser asks for permission.
 *
 * @param onTag Called with the serial number, such as `04:a2:b3:c4:d5`; empty if the tag has none.
 * @param onUnreadable Called for a tag of a kind that the phone cannot read.
 */
export async function scanTags(
  onTag: (serial: string) => void,
  onUnreadable: () => void,
  signal: AbortSignal,
): Promise<void> {
  const Reader = readerClass();
  if (Reader === undefined) throw new DOMException('there is no Web NFC', 'NotSupportedError');
  const reader = new Reader();
  reader.addEventListener('reading', (event) => {
    onTag((event as Event & { readonly serialNumber: string }).serialNumber);
  });
  reader.addEventListener('readingerror', onUnreadable);
  await reader.scan({ signal });
}

function readerClass(): (new () => TagReader) | undefined {
  return (window as { readonly NDEFReader?: new () => TagReader }).NDEFReader;
}

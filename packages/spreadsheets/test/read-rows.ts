import { readXlsx } from 'hucre/xlsx';

/** The rows of the first sheet of a workbook, titles first, as another library reads them. */
export async function readRows(bytes: Uint8Array): Promise<readonly (readonly unknown[])[]> {
  const { sheets } = await readXlsx(bytes);
  return sheets[0]?.rows ?? [];
}

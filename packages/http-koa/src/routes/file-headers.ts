/** The headers of a file to save. */
export function fileHeaders(type: string, name: string): Readonly<Record<string, string>> {
  const disposition = `attachment; filename="${name}"`;
  return { 'Content-Type': type, 'Content-Disposition': disposition, 'Cache-Control': 'no-store' };
}

// Reads the examples of READMEs and guides for compiling: each block of TypeScript, and the names that it does not
// declare.
import { readFileSync } from 'node:fs';

/** Names that the examples use but do not declare: ports, services, an app, a lamp and a factory. */
const GIVEN = {
  mapping: `import('@tallybook/domain').MappingStore`,
  journal: `import('@tallybook/domain').Journal`,
  storage: `import('@tallybook/store-level').LevelStorage`,
  clock: `import('@tallybook/domain').Clock`,
  reader: `import('@tallybook/domain').IdSource`,
  timekeeper: `import('@tallybook/domain').Timekeeper`,
  attendance: `import('@tallybook/domain').AttendanceService`,
  tallybook: `import('@tallybook/domain').Tallybook`,
  app: `ReturnType<typeof import('@tallybook/http-koa').createApp>`,
  lamp: `{ readonly isOn: boolean }`,
  make: `() => import('@tallybook/testing').StoreSubject<import('@tallybook/domain').DayStore>`,
};

/** Files to compile together, by name: one for each block of these documents, and one for the given names. */
export function readSnippets(documents) {
  const given = Object.entries(GIVEN).map(([name, type]) => `declare const ${name}: ${type};\n`);
  const files = { 'given.d.ts': given.join('') };
  for (const [index, document] of documents.entries()) {
    const blocks = [...readFileSync(document, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)];
    // The added export makes each file a module, even without imports.
    for (const [n, [, code]] of blocks.entries()) files[`document-${index}-${n}.ts`] = `${code}export {};\n`;
  }
  return files;
}

// Reads reports of API Extractor.

/** What begins each declaration in a report. */
const DECLARATION = /^\/\/ @\w+.*\n(?:\/\/.*\n)*(export )?(?:declare )?(?:abstract )?\w+ (\w+)/;

/** The names that an entrance exports. Overloads count once. */
export function namesOf(report) {
  const names = declarationsOf(report).flatMap(({ name, isExported }) => (isExported ? [name] : []));
  return [...new Set(names)];
}

/** A report without the unexported declarations that another entrance of the package exports. */
export function withoutKnown(report, known) {
  return declarationsOf(report)
    .filter(({ name, isExported }) => isExported || !known.has(name))
    .map(({ text }) => text)
    .join('\n\n');
}

/** A report that says how many names there are. */
export function withCount(report, count) {
  return report.replace('\n\n```ts\n', `\n\n${count} names.\n\n\`\`\`ts\n`);
}

function declarationsOf(report) {
  return report.split('\n\n').map((text) => {
    const [, exported, name] = DECLARATION.exec(text) ?? [];
    return { text, name, isExported: exported !== undefined };
  });
}

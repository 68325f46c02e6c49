import type { FoundDevice, SurveyPart } from './device-survey.js';

/** The survey for people: the devices, whether they may be used, what to do if not, and the setting to copy. */
export function describeSurvey(parts: readonly SurveyPart[]): readonly string[] {
  return [
    ...parts.flatMap(({ title, devices, hints }) => [
      title,
      ...(devices.length === 0 ? ['  none'] : devices.flatMap(describeDevice)),
      ...hints.map((hint) => `  ${hint}`),
      '',
    ]),
    "A reader that types also works as --reader 'stdin:' if the service runs in a terminal.",
    "To see what a reader reads, give its URL and hold a tag to it: tallybook doctor --reader 'URL'",
  ];
}

function describeDevice({ path, file, label, access, holder, url }: FoundDevice): readonly string[] {
  const names = [...(path.endsWith(`/${file}`) || path === file ? [] : [file]), ...(label ? [label] : [])];
  return [
    `  ${path}${names.length === 0 ? '' : ` (${names.join(', ')})`}`,
    ...(access.isAllowed
      ? ['    may be used']
      : [`    may not be used: ${access.why}`, `    do: ${access.remedy}`]),
    ...(holder === undefined ? [] : [`    in use by ${holder}`]),
    `    --reader '${url}'`,
  ];
}

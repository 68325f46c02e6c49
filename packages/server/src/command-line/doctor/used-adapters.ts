import type { AdapterSetting, Registration } from '@tallybook/devices';
import { reasonOf } from '../../config/adapters.js';
import type { Used } from '../../config/load-adapters.js';
import type { SurveyPart } from '../../doctor/device-survey.js';

const TITLE = 'Third-party adapters';

/** A third-party adapter, and what it found on this machine. */
export interface SurveyedAdapter {
  readonly kind: string;
  readonly scheme: string;
  readonly usage: string;
  readonly settings: Readonly<Record<string, AdapterSetting>>;
  /** The package or path; `null` for one of the program itself. */
  readonly from: string | null;
  readonly found: readonly string[];
}

/** Lets each adapter look for what belongs to it. */
export function surveyUsed(used: readonly Used[]): Promise<readonly SurveyedAdapter[]> {
  return Promise.all(
    used.map(async ({ registration, from = null }) => {
      const { kind, scheme, usage, settings = {} } = registration;
      const found = await linesOf(registration).catch((error: unknown) => [
        `it could not look: ${reasonOf(error)}`,
      ]);
      return { kind, scheme, usage, settings, from, found };
    }),
  );
}

async function linesOf(registration: Registration): Promise<readonly string[]> {
  return (await registration.doctor?.()) ?? [];
}

/** The adapters as one more part of the survey, for programs. */
export function partOf(
  adapters: readonly SurveyedAdapter[],
): SurveyPart & { readonly adapters: readonly SurveyedAdapter[] } {
  return { title: TITLE, devices: [], hints: [], adapters };
}

export function describeUsed(adapters: readonly SurveyedAdapter[]): readonly string[] {
  if (adapters.length === 0) return [];
  return [
    TITLE,
    ...adapters.flatMap(({ kind, scheme, usage, settings, from, found }) => [
      `  ${kind} ${scheme}, from ${from ?? 'the program itself'}`,
      `    ${usage}`,
      ...Object.entries(settings).map(
        ([name, { help, default: byDefault }]) => `    ${name}: ${help} (default: ${byDefault ?? 'none'})`,
      ),
      ...found.map((line) => `    ${line}`),
    ]),
    '',
  ];
}

import type { Language } from '@tallybook/spreadsheets';
import type Koa from 'koa';

/** The languages of texts for people. */
export const languages: readonly Language[] = ['en', 'de'];

/** The language that `Accept-Language` prefers; English if there is no text in any of the wanted languages. */
export function preferredLanguage(ctx: Koa.Context): Language {
  ctx.vary('Accept-Language');
  const found = ctx.acceptsLanguages(...languages);
  return languages.find((language) => language === found) ?? 'en';
}

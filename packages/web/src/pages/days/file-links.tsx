import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Icon } from '../../parts/icon.js';
import { momentOf, type DayRange } from '../../state/days/days.js';
import type { Shape } from './shape-choice.js';

/** Links to files: these days, in this shape, in the language of the page. */
export function FileLinks({ range, shape }: { readonly range: DayRange; readonly shape: Shape }): VNode {
  const { client, texts, formats } = usePage();
  const moments = {
    from: momentOf(range.from, formats.wallClock),
    to: momentOf(range.to, formats.wallClock),
  };
  // If files do not have the language of the page, the service chooses one.
  const lang = LANGUAGES.find((each) => each === texts.language);
  const options = { shape, ...(lang !== undefined && { lang }) };
  const links = [
    [texts.days.xlsx, client.exportXlsxUrl(moments, options)],
    [texts.days.csv, client.exportCsvUrl(moments, options)],
  ] as const;
  return (
    <div class="actions" role="group" aria-label={texts.days.save}>
      {links.map(([label, href]) => (
        <a key={label} class="button" href={href} download="">
          <Icon name="download" />
          {label}
        </a>
      ))}
    </div>
  );
}

const LANGUAGES = ['en', 'de'] as const;

import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { paths } from '../../routing/paths.js';
import { Empty } from './empty.js';

/** For an address without a page. */
export function NotFound(): VNode {
  const { texts } = usePage();
  return (
    <Empty title={texts.app.notFound} hint={texts.app.notFoundHint} isPage>
      <a href={paths.today} class="button">
        {texts.app.backToToday}
      </a>
    </Empty>
  );
}

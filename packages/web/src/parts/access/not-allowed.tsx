import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { paths } from '../../routing/paths.js';
import { Empty } from '../empty.js';

/** For a page that this user may not see. */
export function NotAllowed(): VNode {
  const { texts, access } = usePage();
  const role = texts.access.roles[access.info.value?.user?.role ?? ''] ?? '';
  return (
    <Empty title={texts.access.notAllowed} hint={texts.access.notAllowedHint(role)} isPage>
      <a href={access.may('see-today') ? paths.today : paths.account} class="button">
        {access.may('see-today') ? texts.app.backToToday : texts.access.account}
      </a>
    </Empty>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import { usePage } from './page-context.js';
import { routes } from './routes.js';
import { ConnectionNotice, ConnectionPill } from './parts/connection.js';
import { Icon } from './parts/icon.js';
import { paths } from './routing/paths.js';

/** What is around a page: the way to the others, and how it stands with the service. */
export function Frame({
  isBare,
  children,
}: {
  readonly isBare: boolean;
  readonly children: ComponentChildren;
}): VNode {
  const { texts, address } = usePage();
  const path = address.path.value;
  if (isBare) return <main id="content">{children}</main>;
  return (
    <>
      {/* A link to #content would be taken for an address of a page. */}
      <button
        type="button"
        class="skip-link no-print"
        onClick={() => document.getElementById('content')?.focus()}
      >
        {texts.app.skipToContent}
      </button>
      <header class="top no-print">
        <a href={paths.today} class="brand">
          <Mark />
          {texts.app.name}
        </a>
        <nav aria-label={texts.app.navigation}>
          {routes.map(({ path: pattern, label, icon }) => {
            if (label === undefined) return undefined;
            // What is chosen on a page follows its address.
            const [start = '/'] = pattern.split('/:');
            const isCurrent = path === start || (start !== '/' && path.startsWith(`${start}/`));
            return (
              <a key={pattern} href={`#${start}`} {...(isCurrent && { 'aria-current': 'page' })}>
                {icon === undefined ? undefined : <Icon name={icon} />}
                <span>{label(texts)}</span>
              </a>
            );
          })}
        </nav>
        <ConnectionPill />
      </header>
      <ConnectionNotice />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Four strokes and one across, as people have always tallied. */
function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M8 7v18M13 7v18M18 7v18M23 7v18M4.5 21.5l23-11" />
    </svg>
  );
}

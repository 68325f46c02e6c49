import type { ReportedFault } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';

/** The last fault in the English words of the service, with details for the person who repairs it. */
export function LastFault({ fault }: { readonly fault: ReportedFault | null }): VNode | null {
  const { texts, formats } = usePage();
  if (fault === null) return null;
  const { code, message, at } = fault;
  return (
    <details>
      <summary>{texts.care.said}</summary>
      <p>
        <time>{formats.dateTime(at)}</time>: <span lang="en">{message}</span> <code>{code}</code>
      </p>
    </details>
  );
}

import type { Guest } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';

/** Marks a guest, with whom they visit. Empty for a member. */
export function GuestMark({ guest }: { readonly guest: Guest | null }): VNode | null {
  const { texts } = usePage();
  if (guest === null) return null;
  return (
    <span class="mark-guest">
      {texts.guest.mark}
      {guest.host !== null && ` · ${guest.host}`}
    </span>
  );
}

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { people } from './late-pages.js';
import { usePage } from '../page-context.js';
import { Button } from '../parts/button.js';
import { lazy } from '../parts/placeholders.js';

const GuestDialog = lazy(people, 'GuestDialog');
const TakeBackDialog = lazy(people, 'TakeBackDialog');

/** Buttons to add a guest, and to take a badge back, with their dialogs, for those who may. */
export function GuestButtons(): VNode {
  const { access, session, texts } = usePage();
  const open = useSignal<'add' | 'take-back' | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  const isOffered = session.people.isOffered.value;
  return (
    <>
      {isOffered && access.may('add-guests') && (
        <Button icon="add" opensDialog onClick={() => (open.value = 'add')}>
          {texts.guest.add}
        </Button>
      )}
      {isOffered && access.may('change-names') && !access.isBound() && (
        <Button icon="tag" opensDialog onClick={() => (open.value = 'take-back')}>
          {texts.guest.takeBack}
        </Button>
      )}
      {open.value === 'add' && <GuestDialog onClose={close} />}
      {open.value === 'take-back' && <TakeBackDialog onClose={close} />}
    </>
  );
}

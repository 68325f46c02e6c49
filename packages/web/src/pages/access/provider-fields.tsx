import { useSignal, type Signal } from '@preact/signals';
import type { NewUser, Role, User } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Field } from '../../parts/form/field.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { providerTexts } from '../../texts/topics/provider.js';

/** A user's link to the identity provider, as it is being edited. */
export interface ProviderLink {
  readonly isLinked: Signal<boolean>;
  readonly subject: Signal<string>;
  /** The changes of the link. After a role is given here, the provider no longer decides on the role. */
  readonly change: (role: Role) => Pick<NewUser, 'provider' | 'subject'>;
}

export function useProviderLink(user: User | undefined): ProviderLink {
  const before = user?.provider ?? null;
  const isLinked = useSignal(before !== null);
  const subject = useSignal(before?.subject ?? '');
  return {
    isLinked,
    subject,
    change: (role) => {
      const given = subject.value.trim();
      const isSame = isLinked.value === (before !== null) && given === (before?.subject ?? '');
      const takesRole = before?.grantsRole === true && role !== user?.role;
      if (isSame && !takesRole) return {};
      if (!isLinked.value) return { provider: false };
      return given === '' ? { provider: true } : { subject: given };
    },
  };
}

/** Empty if there is no identity provider, and the user has no link. */
export function ProviderFields({ of: link }: { readonly of: ProviderLink }): VNode | null {
  const { access } = usePage();
  const words = useTopic(providerTexts);
  const label = access.info.value?.provider ?? null;
  if (label === null) return null;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={link.isLinked.value}
          onChange={(event) => (link.isLinked.value = event.currentTarget.checked)}
        />
        <span>{words.link(label)}</span>
      </label>
      {link.isLinked.value && (
        <Field
          label={words.subject}
          value={link.subject.value}
          hint={words.subjectHint}
          maxLength={255}
          onInput={(value) => (link.subject.value = value)}
        />
      )}
    </>
  );
}

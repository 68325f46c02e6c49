import { useSignal, type Signal } from '@preact/signals';
import type { NewUser, Role, User } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Field } from '../../parts/form/field.js';
import { useTopic } from '../../parts/words.js';
import { providerTexts } from '../../texts/topics/provider.js';
import { NewPasswordFields, SecretField, useNewPassword } from '../../parts/access/secret-field.js';
import { useTask } from '../../parts/use-requests.js';
import { Dialog, FormEnd } from '../../parts/form/dialog.js';
import { accessTexts } from '../../texts/topics/access.js';
import { RoleChoice } from './role-choice.js';

/** A user's link to the identity provider, as it is being edited. */
interface ProviderLink {
  readonly isLinked: Signal<boolean>;
  readonly subject: Signal<string>;
  /** The changes of the link. After a role is given here, the provider no longer decides on the role. */
  readonly change: (role: Role) => Pick<NewUser, 'provider' | 'subject'>;
}

function useProviderLink(user: User | undefined): ProviderLink {
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
function ProviderFields({ of: link }: { readonly of: ProviderLink }): VNode | null {
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

/** Adds a user, or changes the role, the password or the link of a user. */
export function UserDialog({
  user,
  isFirst,
  onClose,
}: {
  readonly user: User | undefined;
  /** Whether there are no users: the first user has to be an admin. */
  readonly isFirst: boolean;
  /** @param isSaved Whether anything has changed. */
  readonly onClose: (isSaved: boolean) => void;
}): VNode {
  const { client, toasts } = usePage();
  const words = useTopic(accessTexts);
  const name = useSignal('');
  const wrongName = useSignal<string | undefined>(undefined);
  const role = useSignal<Role>(user?.role ?? (isFirst ? 'admin' : 'viewer'));
  const isGiving = useSignal(user === undefined);
  const endsTokens = useSignal(false);
  const chosen = useNewPassword();
  const link = useProviderLink(user);
  const task = useTask({
    LAST_ADMIN: words.lastAdmin,
    INVALID_PASSWORD: words.badPassword,
    INVALID_USER: words.nameRule,
    USER_EXISTS: words.nameTaken,
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    task.fail(undefined);
    const wanted = user?.name ?? name.value.trim();
    wrongName.value = wanted === '' ? words.nameRule : undefined;
    const isPasswordRight = !isGiving.value || chosen.check();
    if (wrongName.value !== undefined || !isPasswordRight) return;
    const change = {
      name: wanted,
      role: role.value,
      isNew: user === undefined,
      ...(isGiving.value && { password: chosen.password.value, endTokens: endsTokens.value }),
      ...link.change(role.value),
    };
    if (!(await task.run(() => client.putUser(change)))) return;
    toasts.show({ kind: 'done', text: words.saved(wanted) });
    onClose(true);
  };
  return (
    <Dialog title={user?.name ?? words.addUser} onClose={() => onClose(false)}>
      <form class="stack" method="post" onSubmit={(event) => void submit(event)} noValidate>
        {user === undefined && (
          <SecretField label={words.name} value={name} purpose="username" error={wrongName.value} autoFocus />
        )}
        <RoleChoice role={role} roles={isFirst ? ['admin'] : ['viewer', 'kiosk', 'desk', 'admin']} />
        {!isFirst && (
          <label class="check">
            <input
              type="checkbox"
              checked={isGiving.value}
              onChange={(event) => (isGiving.value = event.currentTarget.checked)}
            />
            <span>
              {words.givePassword}
              <span class="quiet field-hint"> {isGiving.value ? '' : words.noPasswordHint}</span>
            </span>
          </label>
        )}
        {isGiving.value && <NewPasswordFields of={chosen} />}
        {isGiving.value && user?.role === 'admin' && (
          <label class="check">
            <input
              type="checkbox"
              checked={endsTokens.value}
              onChange={(event) => (endsTokens.value = event.currentTarget.checked)}
            />
            <span>{words.endTokens}</span>
          </label>
        )}
        {!isFirst && <ProviderFields of={link} />}
        <FormEnd task={task} label={words.save} onCancel={() => onClose(false)} />
      </form>
    </Dialog>
  );
}

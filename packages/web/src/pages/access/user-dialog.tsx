import { useSignal } from '@preact/signals';
import type { Role, User } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { NewPasswordFields, useNewPassword } from '../../parts/access/new-password.js';
import { SecretField } from '../../parts/access/secret-field.js';
import { useTask } from '../../parts/access/use-task.js';
import { Dialog } from '../../parts/form/dialog.js';
import { FormEnd } from '../../parts/form/form-end.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { accessTexts } from '../../texts/topics/access.js';
import { ProviderFields, useProviderLink } from './provider-fields.js';
import { RoleChoice } from './role-choice.js';

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

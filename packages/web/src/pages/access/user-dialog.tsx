import { useSignal, type Signal } from '@preact/signals';
import type { Role, User } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Check, Field } from '../../parts/form/field.js';
import { GroupChoice } from '../../parts/form/group-choice.js';
import { providerTexts } from '../../texts/topics/provider.js';
import { NewPasswordFields, SecretField, useNewPassword } from '../../parts/form/secret-field.js';
import { useTask } from '../../parts/use-requests.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { accessTexts } from '../../texts/topics/access.js';
import { signInTexts } from '../../texts/topics/sign-in.js';
import { RoleChoice } from './role-choice.js';

/** A user's link to the identity provider, as it is being edited. */
interface ProviderLink {
  readonly isLinked: Signal<boolean>;
  readonly subject: Signal<string>;
  /** The changes of the link. After a role is given here, the provider no longer decides on the role. */
  readonly change: (role: Role) => { readonly provider?: boolean; readonly subject?: string };
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
  const { access, words } = usePage(providerTexts);
  const label = access.info.value?.provider ?? null;
  if (label === null) return null;
  return (
    <>
      <Check value={link.isLinked}>{words.link(label)}</Check>
      {link.isLinked.value && (
        <Field label={words.subject} value={link.subject} hint={words.subjectHint} maxLength={255} />
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
  const { session, client, texts, toasts, words } = usePage(accessTexts);
  const name = useSignal('');
  const role = useSignal<Role>(user?.role ?? (isFirst ? 'admin' : 'viewer'));
  const groups = useSignal<readonly string[]>(user?.groups ?? []);
  const isGiving = useSignal(user === undefined);
  const endsTokens = useSignal(false);
  const task = useTask({ USER_EXISTS: words.nameTaken });
  const chosen = useNewPassword(task);
  const link = useProviderLink(user);
  const mayBeBound = role.value === 'viewer' || role.value === 'desk';
  const submit = async (): Promise<void> => {
    const wanted = user?.name ?? name.value.trim();
    if (wanted === '') task.fail(texts.failure.codes.INVALID_USER, 'name');
    if (wanted === '' || (isGiving.value && !chosen.check())) return;
    const bound = mayBeBound ? groups.value : [];
    const change = {
      name: wanted,
      role: role.value,
      ...((bound.length > 0 || (user?.groups ?? []).length > 0) && { groups: bound }),
      isNew: user === undefined,
      ...(isGiving.value && { password: chosen.password.value, endTokens: endsTokens.value }),
      ...link.change(role.value),
    };
    if (!(await task.run(() => client.post('/api/users', { body: change })))) return;
    toasts.done(texts.app.saved(wanted));
    onClose(true);
  };
  return (
    <FormDialog
      title={user?.name ?? words.addUser}
      task={task}
      label={texts.app.save}
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      {user === undefined && (
        <SecretField
          label={words.name}
          value={name}
          purpose="username"
          hint={signInTexts[texts.language].nameHint}
          error={task.errorOf('name')}
          autoFocus
        />
      )}
      <RoleChoice role={role} roles={isFirst ? ['admin'] : ['viewer', 'kiosk', 'desk', 'admin']} />
      {mayBeBound && session.people.groups.value.length > 0 && (
        <GroupChoice label={words.groups} hint={words.groupsHint} chosen={groups} />
      )}
      {!isFirst && (
        <Check value={isGiving}>
          {words.givePassword}
          {!isGiving.value && <span class="quiet field-hint"> {words.noPasswordHint}</span>}
        </Check>
      )}
      {isGiving.value && <NewPasswordFields of={chosen} />}
      {isGiving.value && user?.role === 'admin' && <Check value={endsTokens}>{words.endTokens}</Check>}
      {!isFirst && <ProviderFields of={link} />}
    </FormDialog>
  );
}

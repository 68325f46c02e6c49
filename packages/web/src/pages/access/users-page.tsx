import { useSignal } from '@preact/signals';
import type { User, UserProvider } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { PageHead } from '../../parts/placeholders.js';
import { ConfirmDialog } from '../../parts/form/dialog.js';
import { AnsweredTable, type Column } from '../../parts/table.js';
import { useAnswer } from '../../parts/use-requests.js';
import { accessTexts } from '../../texts/topics/access.js';
import { providerTexts, type ProviderTexts } from '../../texts/topics/provider.js';
import { UserDialog } from './user-dialog.js';
import { Button } from '../../parts/button.js';

/** The users, and their roles. */
export function UsersPage(): VNode {
  const { access, session, client, texts, toasts, formats, words } = usePage(accessTexts);
  const { words: elsewhere } = usePage(providerTexts);
  const asked = useAnswer(() => client.get('/api/users'), []);
  const { value: users, load } = asked;
  const editing = useSignal<User | 'new' | undefined>(undefined);
  const removing = useSignal<User | undefined>(undefined);
  const own = access.info.value?.user?.name;
  const columns: readonly Column<User>[] = [
    {
      key: 'name',
      label: words.name,
      isHeader: true,
      cell: ({ name }) => (
        <>
          {name}
          {name === own && <span class="mark-guest">{words.you}</span>}
        </>
      ),
      compare: (one, other) => one.name.localeCompare(other.name, texts.language),
    },
    {
      key: 'role',
      label: words.role,
      cell: ({ role, groups }) => (
        <>
          {texts.access.roles[role]}
          {groups.length > 0 && (
            <span class="quiet field-hint">
              {' '}
              {groups.map((id) => session.people.groupName(id)).join(', ')}
            </span>
          )}
        </>
      ),
      compare: (one, other) => one.role.localeCompare(other.role),
    },
    {
      key: 'password',
      label: words.password,
      cell: ({ hasPassword, provider }) => (
        <>
          {hasPassword || provider === null ? (hasPassword ? words.hasPassword : words.noPassword) : ''}
          {provider !== null && <span class="quiet field-hint"> {linkOf(provider, elsewhere)}</span>}
        </>
      ),
    },
    {
      key: 'since',
      label: words.since,
      cell: ({ createdAt }) => formats.dateTime(createdAt),
      compare: (one, other) => one.createdAt - other.createdAt,
    },
    {
      key: 'change',
      label: words.change,
      cell: (user) => (
        <span class="actions row-actions">
          <Button opensDialog label={words.changeOf(user.name)} onClick={() => (editing.value = user)}>
            {words.change}
          </Button>
          <Button opensDialog label={words.removeTitle(user.name)} onClick={() => (removing.value = user)}>
            {texts.app.remove}
          </Button>
        </span>
      ),
    },
  ];
  const { value: leaving } = removing;
  return (
    <>
      <PageHead
        title={words.users}
        hint={words.usersHint}
        actions={
          <Button
            icon="add"
            class="button button-main"
            isDisabled={users === undefined}
            onClick={() => (editing.value = 'new')}
          >
            {words.addUser}
          </Button>
        }
      />
      <AnsweredTable
        asked={asked}
        empty={<p class="notice">{words.usersOpen}</p>}
        caption={words.users}
        columns={columns}
        keyOf={({ name }) => name}
        sortedBy="name"
      />
      {editing.value !== undefined && users !== undefined && (
        <UserDialog
          user={editing.value === 'new' ? undefined : editing.value}
          isFirst={users.length === 0}
          onClose={(isSaved) => {
            editing.value = undefined;
            if (!isSaved) return;
            load();
            // After the first user is added, everybody has to sign in.
            void access.load();
          }}
        />
      )}
      {leaving !== undefined && (
        <ConfirmDialog
          title={words.removeTitle(leaving.name)}
          label={texts.app.remove}
          run={async () => {
            await client.delete('/api/users', { query: { name: leaving.name } });
            toasts.done(words.removed(leaving.name));
            load();
            void access.load();
          }}
          onClose={() => (removing.value = undefined)}
        >
          <p>{words.removeHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function linkOf({ subject, grantsRole }: UserProvider, words: ProviderTexts): string {
  if (grantsRole) return words.granted;
  return subject === null ? words.awaited : words.bound;
}

import { useSignal } from '@preact/signals';
import type { User, UserProvider } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Answered } from '../../parts/placeholders.js';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.js';
import { Table, type Column, type Sorting } from '../../parts/table.js';
import { useAnswer } from '../../parts/use-requests.js';
import { useTopic } from '../../parts/words.js';
import { accessTexts } from '../../texts/topics/access.js';
import { providerTexts, type ProviderTexts } from '../../texts/topics/provider.js';
import { UserDialog } from './user-dialog.js';
import { Button } from '../../parts/button.js';

/** The users, and their roles. */
export function UsersPage(): VNode {
  const { access, client, texts, toasts, formats } = usePage();
  const words = useTopic(accessTexts);
  const elsewhere = useTopic(providerTexts);
  const asked = useAnswer(() => client.listUsers(), []);
  const { value: users, load } = asked;
  const editing = useSignal<User | 'new' | undefined>(undefined);
  const removing = useSignal<User | undefined>(undefined);
  const sorting = useSignal<Sorting>({ key: 'name', isDescending: false });
  const own = access.info.value?.user?.name;
  const columns = useMemo<readonly Column<User>[]>(
    () => [
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
        cell: ({ role }) => texts.access.roles[role],
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
              {words.removeUser}
            </Button>
          </span>
        ),
      },
    ],
    [words, elsewhere, texts, formats, own],
  );
  const { value: leaving } = removing;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.users}</h1>
          <p class="quiet">{words.usersHint}</p>
        </div>
        <div class="actions">
          <Button
            icon="add"
            class="button button-main"
            isDisabled={users === undefined}
            onClick={() => (editing.value = 'new')}
          >
            {words.addUser}
          </Button>
        </div>
      </div>
      <Answered asked={asked}>
        {(all) =>
          all.length === 0 ? (
            <p class="notice">{words.usersOpen}</p>
          ) : (
            <Table
              caption={words.users}
              columns={columns}
              rows={all}
              keyOf={({ name }) => name}
              sorting={sorting}
            />
          )
        }
      </Answered>
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
          confirm={words.removeUser}
          words={{ LAST_ADMIN: words.lastAdmin }}
          run={async () => {
            await client.removeUser(leaving.name);
            toasts.show({ kind: 'done', text: words.removed(leaving.name) });
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

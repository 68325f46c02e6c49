import { useSignal } from '@preact/signals';
import type { Group } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { Field, Select } from '../../parts/form/field.js';
import { GroupLink } from '../../parts/group-link.js';
import { Empty, Loading, PageHead } from '../../parts/placeholders.js';
import { Table, type Column } from '../../parts/table.js';
import { useTask } from '../../parts/use-requests.js';
import { groupTexts } from '../../texts/topics/groups.js';
import { peopleTexts } from '../../texts/topics/people.js';

/** All groups: to rename one, or to merge one into another. */
export function GroupsPage(): VNode {
  const { access, session, texts, formats, words } = usePage(groupTexts);
  const { words: people } = usePage(peopleTexts);
  const { groups, isLoaded } = session.people;
  const all = groups.value;
  const opened = useSignal<{ readonly group: Group; readonly act: 'rename' | 'merge' } | undefined>(
    undefined,
  );
  const close = (): void => {
    opened.value = undefined;
  };
  const columns: readonly Column<Group>[] = [
    {
      key: 'name',
      label: texts.columns.name,
      isHeader: true,
      cell: ({ id }) => <GroupLink id={id} />,
      compare: (one, other) => all.indexOf(one) - all.indexOf(other),
    },
    {
      key: 'members',
      label: words.members,
      cell: ({ members }) => formats.number(members),
      compare: (one, other) => one.members - other.members,
    },
  ];
  const change: Column<Group> = {
    key: 'change',
    label: people.change,
    cell: (group) => (
      <span class="actions row-actions">
        <Button
          opensDialog
          label={words.renameOf(group.name)}
          onClick={() => (opened.value = { group, act: 'rename' })}
        >
          {words.rename}
        </Button>
        {all.length > 1 && (
          <Button
            opensDialog
            label={words.mergeOf(group.name)}
            onClick={() => (opened.value = { group, act: 'merge' })}
          >
            {words.merge}
          </Button>
        )}
      </span>
    ),
  };
  const mayChange = access.may('change-names') && !access.isBound();
  const { value: now } = opened;
  return (
    <>
      <PageHead title={texts.groups.title} hint={words.hint} />
      {!isLoaded.value ? (
        <Loading />
      ) : all.length === 0 ? (
        <Empty title={words.none} hint={words.noneHint} />
      ) : (
        <Table
          caption={texts.groups.title}
          columns={mayChange ? [...columns, change] : columns}
          rows={all}
          keyOf={({ id }) => id}
          sortedBy="name"
        />
      )}
      {now?.act === 'rename' && <RenameDialog group={now.group} onClose={close} />}
      {now?.act === 'merge' && (
        <MergeDialog group={now.group} others={all.filter(({ id }) => id !== now.group.id)} onClose={close} />
      )}
    </>
  );
}

interface ActProps {
  readonly group: Group;
  readonly onClose: () => void;
}

function RenameDialog({ group: { id, name: before }, onClose }: ActProps): VNode {
  const { session, client, texts, toasts, words } = usePage(groupTexts);
  const name = useSignal(before);
  const task = useTask({ INVALID_GROUP: words.nameTaken });
  const save = async (): Promise<void> => {
    const wanted = name.value.trim();
    if (wanted === '') {
      task.fail(words.nameMissing, 'name');
      return;
    }
    await task.run(async () => {
      await client.post('/api/groups', { body: { id, name: wanted } });
      await session.people.load();
      toasts.done(words.renamed(wanted));
      onClose();
    });
  };
  return (
    <FormDialog
      title={words.renameOf(before)}
      task={task}
      label={texts.app.save}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label={texts.columns.name}
        value={name}
        hint={words.renameHint}
        error={task.errorOf('name')}
        maxLength={NAME_MAX_LENGTH}
        autoFocus
      />
    </FormDialog>
  );
}

const NAME_MAX_LENGTH = 100;

function MergeDialog({ group, others, onClose }: ActProps & { readonly others: readonly Group[] }): VNode {
  const { session, client, toasts, words } = usePage(groupTexts);
  // It cannot be undone, so nothing is chosen beforehand.
  const into = useSignal('');
  const nameOf = (): string => others.find(({ id }) => id === into.value)?.name ?? '';
  const task = useTask();
  const merge = async (): Promise<void> => {
    if (into.value === '') {
      task.fail(words.chooseOne);
      return;
    }
    await task.run(async () => {
      const name = nameOf();
      await client.post('/api/groups', { body: { id: group.id, into: into.value } });
      await session.people.load();
      toasts.done(words.merged(group.name, name));
      onClose();
    });
  };
  return (
    <FormDialog
      title={words.mergeOf(group.name)}
      task={task}
      label={words.merge}
      isBad
      onSubmit={merge}
      onClose={onClose}
    >
      <Select
        label={words.mergeInto}
        value={into.value}
        options={[['', '–'], ...others.map(({ id, name }) => [id, name] as const)]}
        onChoose={(id) => {
          into.value = id;
          task.fail(undefined);
        }}
      />
      <p role="status">{into.value === '' ? '' : words.mergeHint(group.name, nameOf())}</p>
    </FormDialog>
  );
}

import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { PersonChoice } from '../../parts/corrections/person-choice.js';
import { Card } from '../../parts/card.js';
import { Loading } from '../../parts/placeholders/loading.js';
import { groupedId } from '../../parts/words/grouped-id.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { paths } from '../../routing/paths.js';
import { keyOf } from '../../state/names/by-name.js';
import { holdersOf } from '../../state/names/holder.js';
import { personalTexts } from '../../texts/topics/personal.js';
import { ErasuresCard } from './erasures-card.js';
import { KeptOfPerson } from './kept-of-person.js';
import { RetentionCard } from './retention-card.js';

/** The data of one person, if the address names a tag; otherwise erasures, and how long days are kept. */
export function PersonalPage({ id }: Readonly<Record<string, string | undefined>>): VNode {
  return id === undefined ? <Everybody /> : <Somebody id={id} />;
}

function Everybody(): VNode {
  const { address } = usePage();
  const words = useTopic(personalTexts);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.title}</h1>
          <p class="quiet">{words.hint}</p>
        </div>
      </div>
      <div class="care">
        <Card title={words.choose}>
          <PersonChoice
            error={undefined}
            onChoose={({ ids: [first = ''] }) => address.go(paths.personalOf(first))}
          />
        </Card>
        <RetentionCard />
        <ErasuresCard />
      </div>
    </>
  );
}

function Somebody({ id }: { readonly id: string }): VNode {
  const { session, formats } = usePage();
  const words = useTopic(personalTexts);
  const isLoaded = session.names.isLoaded.value;
  const names = session.names.all.value;
  const name = names.get(id);
  const held = name && holdersOf(names).find(({ key }) => key === keyOf(name));
  const title = name === undefined ? groupedId(id) : formats.name(name);
  return (
    <>
      <div class="page-head">
        <div>
          <h1 data-title={words.title}>{words.titleOf(title)}</h1>
          <p class="quiet">{words.hint}</p>
        </div>
      </div>
      {/* The shown data of an erased person stays, although the name is gone. */}
      {isLoaded ? <KeptOfPerson key={id} title={title} ids={held?.ids ?? [id]} /> : <Loading />}
    </>
  );
}

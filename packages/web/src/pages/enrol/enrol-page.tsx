import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { useTaps } from '../../parts/use-taps.js';
import { Enrolment } from '../../state/names/enrolment.js';
import { DoneList } from './done-list.js';
import { EnrolForm } from './enrol-form.js';
import { UnnamedTable } from './unnamed-table.js';

/** Gives tags their names, one after another, with the keyboard alone. */
export function EnrolPage({ id = '' }: Readonly<Record<string, string | undefined>>): VNode {
  const { session, client, texts } = usePage();
  const { names, clock } = session;
  const [enrolment] = useState(() => new Enrolment({ service: client, names, clock }));
  useEffect(() => {
    // If this fails, only the list is missing.
    void enrolment.load().catch(() => undefined);
  }, [enrolment]);
  useEffect(() => {
    if (/^(?:[0-9A-F]{2}){3,10}$/.test(id)) enrolment.choose(id);
  }, [enrolment, id]);
  useTaps((tap) => enrolment.take(tap));
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{texts.enrol.title}</h1>
          <p class="quiet">{texts.enrol.hint}</p>
        </div>
      </div>
      <div class="enrol">
        <EnrolForm enrolment={enrolment} />
        <DoneList enrolment={enrolment} />
      </div>
      <UnnamedTable enrolment={enrolment} />
    </>
  );
}

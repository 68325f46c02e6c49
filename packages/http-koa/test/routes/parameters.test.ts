import { isOptional, operations, schemaOf, type Fields, type Operation } from '@tallybook/http-contract';
import { expect } from 'chai';
import { useService } from '../fixtures/running-service.js';
import { stateOf, validBodies } from '../fixtures/valid-bodies.js';

const long = 'x'.repeat(101);

/** Values that are none of a format of the contract, and what is said of them. A query has only the texts. */
const wrong: Readonly<Record<string, readonly [values: readonly unknown[], reason?: string]>> = {
  timestamp: [['', '-1', '%2B1', '1e3', 'x', '18446744073709551616', -1, 1.5, null, {}], 'a timestamp is '],
  day: [
    ['', '-1', '%2B1', '1e3', 'x', '4294967296', -1, 1.5, null, {}],
    'a day is .* from 0 to 4294967295; got ',
  ],
  tag: [['', '04A2', '04'.repeat(11), 'tag', 123_456, null, {}], 'a tally id is '],
  spelling: [['', 'dez10', 7, null], 'must be one of hex, hex-xor, dec.* if it is given; got '],
  keep: [['', 'ever', '24']],
  raw: [[]],
  name: [[]],
  flag: [['true', 1, null, {}], 'must be true or false(?: if it is given)?; got '],
  'whole-number': [['1', 0, 1.5, null], 'must be a whole number from 1; got '],
  reason: [['no', 'one\ntwo', 'x'.repeat(501), 7], 'a reason '],
  person: [['', 'ada', '04A2B3C4D5', 7, null], 'the id of a person is 14 upper-case hex'],
  'two-persons': [['x', [], ['x'], null], 'must be a list of two persons; got '],
  'member-number': [['', 'x'.repeat(41), 'a\nb', 5], 'a number '],
  'day-or-null': [['2026-01-01', -1, 1.5, {}], 'a day is '],
  'tag-act': [['steal', 7, null], 'must be one of give, lost, .*; got '],
  group: [['', '7B', 7, null], 'the id of a group is its first name'],
  'group-name': [['', ' ', long, 'a,b', 7, null], 'the name of a group '],
  'group-names': [['7b', Array(21).fill('7b'), null], 'must be a list of at most 20 names; got '],
  'guest-text': [['', long, 'a\nb', 7, null]],
  null: [[{}, 'x', 0], 'must be null if it is given; got '],
};

const valid: Readonly<Record<string, string>> = { from: '0', to: '1', id: '04A2B3C4D5', timestamp: '0' };

/** Wrong values for a field that has a parser or is a list, and what is said of them. */
function wrongFor(field: Fields[string]): readonly [values: readonly unknown[], reason?: string] {
  const { format, maxItems } = schemaOf(field);
  if (typeof format === 'string') {
    expect(wrong).to.have.property(format);
    return wrong[format] ?? [[]];
  }
  if (typeof maxItems !== 'number') return [[]];
  return [[{}, 'x', [], ['x'], Array(maxItems + 1).fill('04A2B3C4D5')]];
}

/** Wrong texts for a parameter of a query, and what is said of them. */
function wrongTextsFor(field: Fields[string]): readonly [values: readonly unknown[], reason?: string] {
  const { format, minimum, maximum, enum: choices, ...rest } = schemaOf(field);
  if (format === 'digits' || format === 'seconds') {
    const texts = ['', 'x', '1.5', '-1', String(Number(minimum) - 1), String(Number(maximum) + 1)];
    return [texts, `must be a number(?: of seconds)? from ${String(minimum)} to ${String(maximum)}; got "`];
  }
  if (format !== undefined) return wrongFor(field);
  if (typeof rest['maxLength'] === 'number')
    return [['', 'x'.repeat(rest['maxLength'] + 1)], 'must have \\d+ to \\d+ characters; got "'];
  if (choices === undefined && !('const' in rest)) return [[]];
  return [['', 'x', 'constructor'], 'must be ".*" if it is given; got "'];
}

const all = Object.entries(operations as Readonly<Record<string, Operation>>);

describe('A parameter of the query', () => {
  const service = useService();

  for (const [address, { query }] of all) {
    if (query === undefined) continue;
    const [method = '', path = ''] = address.split(' ');
    const required = Object.entries(query).filter(([, field]) => !isOptional(field));

    /** The reason of the refusal of a request with the required parameters, but another text for one of them. */
    const refused = async (name: string, ...texts: readonly string[]): Promise<string> => {
      const others = required.flatMap(([other]) => (other === name ? [] : [[other, valid[other] ?? 'x']]));
      const sent = new URLSearchParams([...others, ...texts.map((text) => [name, text])] as [
        string,
        string,
      ][]);
      const { status, text } = await service.request(`${path}?${sent.toString()}`, { method });
      expect(status, `${name}=${texts.join()}: ${text}`).to.equal(400);
      return text;
    };

    it(`is refused by its name if it is wrong, missing or given twice: ${address}`, async () => {
      for (const [name, field] of Object.entries(query)) {
        const [text = 'x'] = [valid[name]];
        expect(await refused(name, text, text)).to.equal(`${name}: must be given once; got 2 values`);
        const [values, reason = ''] = wrongTextsFor(field);
        for (const each of values)
          if (typeof each === 'string')
            expect(await refused(name, each)).to.match(new RegExp(`^${name}: ${reason}`));
        if (!isOptional(field)) expect(await refused(name)).to.match(new RegExp(`^${name}: `));
      }
      expect(service.reports).to.deep.equal([]);
    });
  }
});

describe('A field of a body', () => {
  const service = useService();
  const judgedByServices: string[] = [];

  for (const [path, { method = 'POST', body }] of Object.entries(validBodies)) {
    const { fields = {} } = all.find(([address]) => address === `${method} ${path}`)?.[1].body ?? {};
    const tried = Object.entries(fields).flatMap(([name, field]) => {
      const [values, reason = ''] = wrongFor(field);
      const all = isOptional(field) ? values : [...values, undefined];
      return values.length === 0 ? [] : all.map((value) => ({ name, reason, value }));
    });
    if (tried.length === 0) {
      judgedByServices.push(`${method} ${path}`);
      continue;
    }

    it(`is refused by its name if it is wrong or missing, and changes nothing: ${method} ${path}`, async () => {
      const before = await stateOf(service);
      for (const { name, reason, value } of tried) {
        const { status, text } = await service.request(path, {
          method,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...(body as object), [name]: value }),
        });
        expect(status, `${name}: ${JSON.stringify(value)}: ${text}`).to.equal(400);
        expect(text).to.match(new RegExp(`^${name}: ${reason}`));
      }
      expect(await stateOf(service)).to.deep.equal(before);
      expect(service.reports).to.deep.equal([]);
    });
  }

  it('is judged by the service alone where the contract gives it no form', () => {
    expect(judgedByServices).to.deep.equal([
      'POST /api/people',
      'POST /api/corrections',
      'POST /api/time',
      'POST /api/password',
      'POST /api/users',
      'POST /api/tokens',
      'POST /api/passkeys',
      'POST /api/passkeys/challenge',
      'POST /api/readers/gate/readings',
      'POST /api/sync',
      'POST /api/publishers/send-again',
      'PUT /api/settings',
      'POST /api/settings/reader-trial',
      'POST /api/restore',
    ]);
  });

  it('that is a name is refused with its wrong part', async () => {
    for (const [name, reason] of [
      [undefined, /^name must be an object with "first" and "last"/],
      ['Ada', /^name must be an object with "first" and "last"/],
      [{ last: 'x' }, /^name\.first must be a string/],
      [{ first: 'x', last: null }, /^name\.last must be a string/],
    ] as const)
      for (const path of ['/api/mapping', '/api/guest']) {
        const { status, text } = await service.post({ id: '04A2B3C4D5', name }, {}, path);
        expect([status, reason.test(text)], text).to.deep.equal([400, true]);
      }
    expect(await service.json('/api/mapping')).to.deep.equal({});
  });
});

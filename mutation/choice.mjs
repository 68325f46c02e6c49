// Two plugins of Stryker for a run with little time: one chooses mutants, the other one shows results as they come.
import { declareFactoryPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { createHash } from 'node:crypto';

/** The results of all mutants so far. Mutants that were not chosen are included, as `CompileError`. */
export const tried = [];

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.Checker, 'choice', () => new Choice()),
  declareValuePlugin(PluginKind.Reporter, 'tried', { onMutantTested: (result) => void tried.push(result) }),
];

/** Chooses some of the mutants by a seed: with unchanged sources, a seed always chooses the same ones. */
class Choice {
  #seed = process.env.TALLYBOOK_MUTATION_SEED;
  #most = Number(process.env.TALLYBOOK_MUTATION_MOST);

  init() {
    return Promise.resolve();
  }

  /** All in one group: the choice must see all mutants. */
  group(mutants) {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }

  check(mutants) {
    const inOrder = mutants.map((mutant) => ({ mutant, place: this.#placeOf(mutant) }));
    inOrder.sort((a, b) => (a.place < b.place ? -1 : 1));
    const answers = inOrder.map(({ mutant: { id } }, index) => [id, { status: this.#judge(index) }]);
    return Promise.resolve(Object.fromEntries(answers));
  }

  #judge(index) {
    return index < this.#most ? 'passed' : 'compileError';
  }

  #placeOf({ id, replacement }) {
    return createHash('sha256').update(`${this.#seed} ${id} ${replacement}`).digest('hex');
  }
}

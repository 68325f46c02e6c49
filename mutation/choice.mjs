// Two plugins of Stryker for a run that has little time: one chooses mutants, one shows results as they come.
import { declareFactoryPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { createHash } from 'node:crypto';

/** What came of each mutant that was tried so far; those that were not chosen are among them, as `CompileError`. */
export const tried = [];

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.Checker, 'choice', () => new Choice()),
  declareValuePlugin(PluginKind.Reporter, 'tried', { onMutantTested: (result) => void tried.push(result) }),
];

/** Lets through some of the mutants, which ones a seed says: the same seed chooses the same of the same sources. */
class Choice {
  #seed = process.env.TALLYBOOK_MUTATION_SEED;
  #most = Number(process.env.TALLYBOOK_MUTATION_MOST);

  init() {
    return Promise.resolve();
  }

  /** All in one group: who chooses has to see all of them. */
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

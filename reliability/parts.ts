import type { Part } from './part.js';

/** Every part by its name on the command line, in the order in which they run; loaded when it is asked for. */
export const parts: Readonly<Record<string, () => Promise<Part>>> = {
  kills: async () => (await import('./kills/run-kills.js')).runKills,
  cuts: async () => (await import('./cuts/run-cuts.js')).runCuts,
  flips: async () => (await import('./flips/run-flips.js')).runFlips,
  fuzz: async () => (await import('./fuzz/fuzz.js')).fuzz,
  simulation: async () => (await import('./simulation/run-simulation.js')).simulate,
  soak: async () => (await import('./soak/soak.js')).soak,
};

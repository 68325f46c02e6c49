import type { Part } from './part.js';

/** All parts by their names on the command line, in the order in which they run. A part is loaded when it is needed. */
export const parts: Readonly<Record<string, () => Promise<Part>>> = {
  kills: async () => (await import('./kills/run-kills.js')).runKills,
  cuts: async () => (await import('./cuts/run-cuts.js')).runCuts,
  flips: async () => (await import('./flips/run-flips.js')).runFlips,
  servers: async () => (await import('./servers/run-servers.js')).runServers,
  failover: async () => (await import('./failover/run-failover.js')).runFailover,
  fuzz: async () => (await import('./fuzz/fuzz.js')).fuzz,
  simulation: async () => (await import('./simulation/run-simulation.js')).simulate,
  soak: async () => (await import('./soak/soak.js')).soak,
};

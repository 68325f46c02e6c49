/** Why there can be no root on this machine. */
export class NoRoot extends Error {}

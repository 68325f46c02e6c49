/** The version of this package, which is also the one of the interface. `npm run version-packages` writes it. */
export const VERSION: string = '0.0.0';

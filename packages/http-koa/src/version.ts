/** The version of this package, and of the interface. `npm run version-packages` writes it. */
export const VERSION: string = '0.1.0';

import { TallybookError } from '@tallybook/domain';

/**
 * Loads a package that only some devices need. The service runs without such a device even if the package is not
 * installed, or does not exist for the machine.
 *
 * Rejects with `INVALID_OPTION` if the package cannot be loaded. The message says what to install.
 *
 * @param what The part that needs it, such as "a serial reader".
 * @param specifier Argument of `npm install`, such as "serialport@13".
 */
export async function loadOptional<T>(what: string, specifier: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const name = specifier.replace(/(?!^)@.*$/, '');
    throw new TallybookError(
      'INVALID_OPTION',
      `${what} needs the package ${name}, and it cannot be loaded; install it on this machine with "npm install ${specifier}" (in a checkout: remove node_modules, then "npm start"), or remove the setting that needs it`,
      { cause },
    );
  }
}

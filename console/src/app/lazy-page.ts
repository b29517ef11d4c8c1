import { lazyRouteComponent } from '@tanstack/react-router';
import { controlAnswers } from './connection.ts';

/**
 * A page whose code comes when it is opened. While control is away it waits for it, where the router
 * would load the whole document anew and leave its user with the browser's own error.
 *
 * @param name of the component that the module exports.
 */
export function lazyPage<Module extends Record<Name, unknown>, Name extends string>(
  load: () => Promise<Module>,
  name: Name,
) {
  const patiently = async (): Promise<Module> => {
    try {
      return await load();
    } catch {
      await controlAnswers();
      // Some browsers remember what could not be loaded: then the router loads the document anew.
      return load();
    }
  };
  return lazyRouteComponent(patiently, name);
}

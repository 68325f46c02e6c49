import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { CannotRead } from './cannot-read.js';
import { Loading } from './loading.js';

/** A component whose code is loaded when it is first drawn, so that the first code to load stays small. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P): VNode {
    const { session } = usePage();
    const state = useSignal<'loading' | 'there' | 'missing'>('loading');
    const begin = async (isAgain: boolean): Promise<void> => {
      try {
        loaded = await load();
        state.value = 'there';
      } catch {
        // The service may have a newer build of the page, without this file.
        if (isAgain && session.connection.current.peek().state === 'open') location.reload();
        state.value = 'missing';
      }
    };
    useEffect(() => {
      if (loaded === undefined) void begin(false);
    }, []);
    const Loaded = loaded;
    if (Loaded !== undefined) return <Loaded {...props} />;
    return state.value === 'missing' ? <CannotRead onTryAgain={() => void begin(true)} /> : <Loading />;
  };
}

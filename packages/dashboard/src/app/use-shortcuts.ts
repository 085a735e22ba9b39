import { useLayoutEffect, useRef } from 'preact/hooks'
import { createKeyHandler, type Shortcut } from './keyboard.ts'
import { useServices } from './services.ts'

/** Listens to keys while the component is shown, and lists them in the help. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const { window, shortcuts: shown } = useServices()
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  // With the elements, not after they are painted: a key may be pressed as soon as they are seen.
  useLayoutEffect(() => {
    const own = () => latest.current
    const handle = createKeyHandler(own, () => Date.now())
    window.addEventListener('keydown', handle)
    shown.add(own)
    return () => {
      window.removeEventListener('keydown', handle)
      shown.delete(own)
    }
  }, [window, shown])
}

import type { Shortcut } from '../../app/keyboard.ts'
import { useShortcuts } from '../../app/use-shortcuts.ts'

/** What the keys do; undefined does nothing. */
interface RunKeys {
  readonly previous: (() => void) | undefined
  readonly next: (() => void) | undefined
  close(): void
}

/** `[` and `]` for the runs before and after, Escape to close. */
export function useRunKeys({ previous, next, close }: RunKeys): void {
  const keys: readonly (Omit<Shortcut, 'run'> & { readonly run: (() => void) | undefined })[] = [
    { keys: '[', says: 'Previous run', run: previous },
    { keys: ']', says: 'Next run', run: next },
    { keys: 'Escape', says: 'Close the run', run: close },
  ]
  useShortcuts(keys.flatMap(({ run, ...key }) => (run === undefined ? [] : [{ ...key, run }])))
}

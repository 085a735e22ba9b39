import { useEffect } from 'preact/hooks'
import { useServices } from '../../app/services.ts'

/** What the keys do; undefined does nothing. */
interface RunKeys {
  readonly previous?: (() => void) | undefined
  readonly next?: (() => void) | undefined
  readonly close?: (() => void) | undefined
}

/** `[` and `]` for the runs before and after, Escape to close; not while something is typed. */
export function useRunKeys({ previous, next, close }: RunKeys): void {
  const { window } = useServices()
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      const target = event.target instanceof HTMLElement ? event.target : undefined
      const isTyping = target?.matches('input:not([type=range]), textarea, select') ?? false
      if (isTyping && event.key === 'Escape') target?.blur()
      if (isTyping) return
      const done = event.key === '[' ? previous : event.key === ']' ? next : event.key === 'Escape' ? close : undefined
      if (done === undefined) return
      event.preventDefault()
      done()
    }
    window.document.addEventListener('keydown', press)
    return () => window.document.removeEventListener('keydown', press)
  }, [window, previous, next, close])
}

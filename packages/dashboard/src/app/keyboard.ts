/** What a key does: its name as the browser says it, or two after each other with a space. */
export interface Shortcut {
  readonly keys: string
  readonly says: string
  run(): void
}

const chordMs = 1200

/** Makes the handler of key presses; keys pressed in a field are text, and an open dialog has all keys for itself. */
export function createKeyHandler(shortcuts: () => readonly Shortcut[], now: () => number): (event: KeyboardEvent) => void {
  let first: { readonly key: string; readonly at: number } | undefined
  return (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTaken(event)) return
    const chord = first !== undefined && now() - first.at < chordMs ? `${first.key} ${event.key}` : ''
    const known = shortcuts()
    const found = known.find(({ keys }) => keys === chord) ?? known.find(({ keys }) => keys === event.key)
    first = known.some(({ keys }) => keys.startsWith(`${event.key} `)) ? { key: event.key, at: now() } : undefined
    if (found === undefined) return
    event.preventDefault()
    found.run()
  }
}

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.ownerDocument.querySelector('dialog[open]') !== null) return true
  const holder = target.closest(key === 'Enter' ? `${texts}, a, button, summary` : texts)
  // For a moment a dialog that was closed still has the focus.
  return holder !== null && holder.closest('dialog:not([open])') === null
}

const texts = 'input:not([type="range"]), textarea, select, [contenteditable]'

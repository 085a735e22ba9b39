import { quote } from '@stickler/core/validators'

/** A piece of code in a message, on one line and bounded: in back-ticks, which need no escape where the message is quoted, unless it has one. */
export function quoted(code: string): string {
  const shown = quote(code)
  const inside = shown.startsWith('"') ? shown.slice(1, -1).replace(/\\(["\\])/g, '$1') : shown
  return inside.includes('`') ? shown : `\`${inside}\``
}

import { quote } from '@stickler/core/syntax'

/** A piece of code in a message: always in quotes, on one line, and bounded. */
export function quoted(code: string): string {
  const shown = quote(code)
  return shown.startsWith('"') ? shown : `"${shown}"`
}

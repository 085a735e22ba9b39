import type { SyntaxParser } from '@stickler/core/syntax'
import type { LocalParser } from '@stickler/parser'

/** A parser in this process, which is loaded when a validator first asks it: most commands never do. */
export function embeddedParser(): SyntaxParser & { close(): Promise<void> } {
  let loading: Promise<LocalParser> | undefined
  return {
    async parse(language, source, signal) {
      loading ??= import('@stickler/parser').then(({ localParser }) => localParser())
      return (await loading).parse(language, source, signal)
    },
    async close() {
      await (await loading)?.close()
    },
  }
}

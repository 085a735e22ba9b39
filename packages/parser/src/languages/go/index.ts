import type { Language } from '../language.ts'
import { goFaults } from './faults.ts'

/** Go as `gofmt` parses it: a file, declarations without a package, or the statements of a function. */
export const go: Language = {
  name: 'go',
  async load() {
    const { format } = await import('@wasm-fmt/gofmt')

    /** What Go's own parser says of a text that it rejects; undefined when it does not. */
    function firstProblem(text: string): string | undefined {
      try {
        format(text)
        return undefined
      } catch (error) {
        // Anything else, such as a stack that is too small, is not a verdict.
        if (!(error instanceof Error) || !/^\d+:\d+: /.test(error.message)) throw error
        return error.message
      }
    }

    // The first text compiles the parser, which is not the cost of a snippet.
    firstProblem('package p')
    return (source) => goFaults(source, firstProblem)
  },
}

import type { Language } from '../language.ts'
import { goFaults } from './faults.ts'
import { firstProblem } from './first-problem.ts'
import { loadGofmt } from './formatter.ts'

/** Go as `gofmt` parses it: a file, declarations without a package, or the statements of a function. */
export const go: Language = {
  name: 'go',
  async load() {
    const parse = await loadGofmt()
    // The first text compiles the parser, which is not the cost of a snippet.
    parse('package p')
    return (source) => goFaults(source, (text) => firstProblem(text, parse))
  },
}

import type { Language } from '../language.ts'
import { goFaults } from './faults.ts'
import { type GoProblem, loadGofmt, panicked } from './formatter.ts'

/** Go as `gofmt` parses it: a file, declarations without a package, or the statements of a function. */
export const go: Language = {
  name: 'go',
  parsedBy: "Go's own parser, as in `gofmt`: files, declarations, statements",
  async load() {
    const parse = await loadGofmt()
    // The first text compiles the parser, which is not the cost of a snippet.
    parse('package p')
    return (source) => goFaults(source, (text) => firstProblem(text, parse))
  },
}

/**
 * The first problem that Go's parser reports, even when it panics over the whole text; undefined
 * when it accepts it.
 */
function firstProblem(text: string, parse: (text: string) => GoProblem): string | undefined {
  const problem = parse(text)
  return problem === panicked ? problemOfStart(text, parse) : problem
}

/** Reads as many lines as do not make the parser panic: the first problem is among them. */
function problemOfStart(text: string, parse: (text: string) => GoProblem): string {
  const ends = [...text.matchAll(/\n|$/g)].map(({ index }) => index)
  const upTo = (line: number): GoProblem => parse(text.slice(0, ends[line - 1]))
  let fine = 0
  let tooMany = ends.length
  while (tooMany - fine > 1) {
    const middle = (fine + tooMany) >>> 1
    if (upTo(middle) === panicked) tooMany = middle
    else fine = middle
  }
  const problem = upTo(fine)
  const line = Number(typeof problem === 'string' ? problem.split(':', 1)[0] : fine)
  const earlier = (line + fine) >>> 1
  // A problem that only comes from cutting the text off would move with the cut.
  if (typeof problem !== 'string' || earlier <= line || shown(upTo(earlier)) !== shown(problem)) throw new Error("Go's parser panicked")
  return problem
}

function shown(problem: GoProblem): string {
  return typeof problem === 'string' ? (problem.split(' (and ')[0] ?? '') : ''
}

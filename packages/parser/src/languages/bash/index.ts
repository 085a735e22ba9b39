import type { Language } from '@stickler/core/validators'
import { faultAt } from '../fault-at.ts'
import { loadShell, type ShellProblem } from './shell-parser.ts'
import { instruction } from './wordings.ts'

/** Shell scripts as bash parses them. */
export const bash: Language = {
  name: 'bash',
  parsedBy: '`sh-syntax`, that is mvdan/sh, as bash',
  async load() {
    const firstProblem = await loadShell()
    // The first text starts the parser, which is not the cost of a snippet.
    firstProblem('a')
    return (source) => {
      const script = source.replace(/^\ufeff/, ' ')
      const problem = firstProblem(script)
      if (problem === undefined) return []
      const start = offsetOf(script, problem)
      const [found = ''] = /^(?:\w+|\S)/.exec(script.slice(start, start + 100)) ?? []
      return [faultAt(source, start, start + found.length, instruction(problem.message, problem.line))]
    }
  },
}

/** Where a problem is, in UTF-16; mvdan/sh counts bytes. */
function offsetOf(script: string, { line, column }: ShellProblem): number {
  let start = 0
  for (let number = 1; number < line; number++) start = script.indexOf('\n', start) + 1
  const end = script.indexOf('\n', start)
  const bytes = Buffer.from(script.slice(start, end === -1 ? undefined : end))
  return start + bytes.subarray(0, column - 1).toString().length
}

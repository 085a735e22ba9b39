import type { Language } from '@stickler/core/validators'
import { faultAt } from '../fault-at.ts'
import { BashParser } from './parser.ts'
import { BashProblem } from './problem.ts'

/** Shell scripts as bash 5 parses them. */
export const bash: Language = {
  name: 'bash',
  parsedBy: "Stickler's own parser, following the grammar of bash 5.2",
  async load() {
    return (source) => {
      try {
        new BashParser(source.replace(/^\ufeff/, ' ')).script()
        return []
      } catch (error) {
        if (!(error instanceof BashProblem)) throw error
        return [faultAt(source, error.start, error.end, error.message)]
      }
    }
  },
}

import { safeJson } from '../../terminal/printable.ts'
import { lineOf } from '../import-recordings.ts'
import type { ResultWriter } from './result.ts'

/** One JSON object per line: the recording as `check --jsonl` reads it, with `status`, `codes` and `issues`. */
export function jsonlResults(): ResultWriter {
  return {
    begin: '',
    add: ({ recording, contract, status, issues, unchecked }) => {
      const codes = [...new Set(issues.map(({ code }) => code))]
      return `${safeJson({ ...lineOf(recording), contract, status, codes, issues, ...(unchecked.length > 0 ? { unchecked } : {}) })}\n`
    },
    end: () => '',
  }
}

import { lineOf } from '../../recordings/import-recordings.ts'
import { safeJson } from '../../terminal/printable.ts'
import type { ResultWriter } from './result.ts'

/** One JSON object per line: the recording as `check --jsonl` reads it, with its `status` and the rules that it breaks. */
export function jsonlResults(): ResultWriter {
  return {
    add: ({ recording, text, contract, verdict }) => {
      const { status, errors, fixed, warnings, repairs, unchecked } = verdict
      const line = { ...lineOf(recording), ...(text !== undefined && isBare(recording.fields) && { text }) }
      return `${safeJson({ ...line, contract, status, codes: errors, fixed, warnings, repairs, unchecked })}\n`
    },
    frame: () => ({ begin: '', end: '' }),
  }
}

/** Whether fields have no answer of their own, as those of prompts. */
function isBare(fields: Readonly<Record<string, unknown>>): boolean {
  return fields.text === undefined && fields.message === undefined && fields.response === undefined
}

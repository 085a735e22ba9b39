import { AnswerReader } from '../../answer/reader.ts'
import type { Contract } from '../../contract/contract.ts'
import type { CheckContext } from '../../contract/validator.ts'

/** How much of a text stays as it is for these validators, whatever follows; nothing where one of them cannot tell. */
export function settledLength(validators: Contract['validators'], text: string, context: CheckContext): number {
  let settled = text.length
  for (const { prepared } of validators) {
    const reader = new AnswerReader()
    reader.push(text)
    try {
      const check = prepared.incremental?.(context, { repairs: true, allow: ['lossy'], allowNow: ['lossy'], edits: true })
      const { safe = 0, failure, pending } = check?.push(text, reader) ?? {}
      settled = failure === undefined && pending === undefined ? Math.min(settled, safe) : 0
    } catch {
      return 0
    }
  }
  return settled
}

import type { Fields } from '../../answer/tool-shapes/fields.ts'

/** The reasoning of a message or a delta, under either of the names that providers use. */
export function reasoningOf({ reasoning_content: content, reasoning }: Fields): string {
  if (typeof content === 'string' && content !== '') return content
  return typeof reasoning === 'string' ? reasoning : ''
}

/** The text of a refusal in a message or a delta. */
export function refusalOf({ refusal }: Fields): string {
  return typeof refusal === 'string' ? refusal : ''
}

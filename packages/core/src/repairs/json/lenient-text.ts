import { changedText } from '../apply.ts'
import { repairJson } from './repair-json.ts'

/** JSON text for a text that is almost JSON; undefined when it cannot be read for certain. */
export function lenientText(text: string): string | undefined {
  const read = repairJson(text)
  if (!read.ok || read.cut !== 'none' || read.edits.some((edit) => edit.class !== 'lossless') || read.end !== text.length) return undefined
  return changedText(text, read.edits)
}

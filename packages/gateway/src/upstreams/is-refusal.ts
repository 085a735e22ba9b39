import { isRecord } from './json.ts'

/** Whether a message says that the model refused, beside its content or among its parts. */
export function isRefusal({ content, refusal }: Readonly<Record<string, unknown>>): boolean {
  if (typeof refusal === 'string' && refusal !== '') return true
  return Array.isArray(content) && content.some((part) => isRecord(part) && typeof part.refusal === 'string' && part.refusal !== '')
}

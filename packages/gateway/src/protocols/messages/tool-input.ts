import { type Fields, isFields } from '../fields.ts'

/** The key under which arguments are given that are no JSON object, which happens only where a contract lets them pass. */
export const rawArgumentsKey = 'stickler_raw_arguments'

/** The input of a tool as JSON: arguments that are an object stay as they were written, others stand under `stickler_raw_arguments`. */
export function toolInputText(args: string): string {
  if (args.trim() === '') return '{}'
  return parseObject(args) ? args : JSON.stringify({ [rawArgumentsKey]: args })
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

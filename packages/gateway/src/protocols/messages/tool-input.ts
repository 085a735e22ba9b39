import { type Fields, isFields } from '../fields.ts'

/** The key under which arguments are given that are no JSON object, which happens only where a contract lets them pass. */
export const rawArgumentsKey = 'stickler_raw_arguments'

/** The input of a tool: arguments that are no JSON object stand under `stickler_raw_arguments`, as the model wrote them. */
export function toolInput(args: string): Fields {
  if (args.trim() === '') return {}
  return parseObject(args) ?? { [rawArgumentsKey]: args }
}

/** The same input as text; arguments that are a JSON object stay as they were written. */
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

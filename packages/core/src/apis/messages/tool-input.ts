import { isFields } from '../../answer/tool-shapes/fields.ts'
import { parseReply } from '../shared/parse-reply.ts'

/** The key of arguments that are not a JSON object, which only some contracts allow. */
const rawArgumentsKey = 'stickler_raw_arguments'

/** The input of a tool as JSON: arguments that are an object stay unchanged, others go under `stickler_raw_arguments`. */
export function toolInputText(args: string): string {
  if (args.trim() === '') return '{}'
  return isFields(parseReply(args)) ? withoutHalves(args) : JSON.stringify({ [rawArgumentsKey]: args })
}

/** A lone surrogate can only be sent as an escape; in JSON it can only occur in a string. */
function withoutHalves(json: string): string {
  return json.replace(/\p{Cs}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}

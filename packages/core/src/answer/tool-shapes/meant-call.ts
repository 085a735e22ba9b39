import { type Fields, field, isFields, textField } from './fields.ts'
import { shapeOf } from './locate.ts'

/** Keys that only calls have, around the call itself. */
const wrappers = ['function', 'functionCall', 'toolUse']

/** Calls without type and wrapper: the key of the name, those of the arguments, and what else they have. */
const plain: readonly { readonly name: string; readonly args: readonly string[]; readonly beside: readonly string[] }[] = [
  { name: 'name', args: ['arguments', 'args', 'parameters'], beside: ['id', 'call_id', 'index', 'status', 'error'] },
  {
    name: 'toolName',
    args: ['input', 'args'],
    beside: ['toolCallId', 'providerExecuted', 'providerMetadata', 'dynamic', 'invalid', 'error'],
  },
  { name: 'tool_name', args: ['arguments'], beside: ['id', 'tool_call_id', 'result', 'error', 'timestamp'] },
]

/**
 * Whether an object that nothing announces as a call is one: its type or wrapper says so, or it is a name with arguments and nothing else.
 *
 * Rows of logs and datasets have a name too.
 */
export function isMeantCall(entry: unknown): entry is Fields {
  if (!isFields(entry) || shapeOf(entry) === undefined) return false
  if (typeof field(entry, 'type') === 'string' || wrappers.some((key) => isFields(field(entry, key)))) return true
  return plain.some(({ name, args, beside }) => {
    const keys = Object.keys(entry).filter((key) => entry[key] !== undefined)
    const given = keys.filter((key) => args.includes(key))
    return (
      textField(entry, name) !== '' && given.length === 1 && keys.every((key) => key === name || args.includes(key) || beside.includes(key))
    )
  })
}

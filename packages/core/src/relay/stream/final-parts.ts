import type { ToolCall } from '../../answer/tool-calls.ts'
import type { ChoiceEnd } from '../../apis/shared/choice-event.ts'
import { distribute } from '../../apis/shared/text-distribution.ts'
import type { JudgedPart } from '../../apis/shared/wire.ts'
import type { Outcome } from '../../engine/outcome.ts'

type Part = Pick<JudgedPart, 'of' | 'isName' | 'value'>

/** Finds the pieces of one kind: of the text, or of the name or the arguments of a call. */
type PiecesOf = (of: 'text' | number, isName?: true) => readonly string[]

/** Returns the values of parts in order; undefined for unchanged ones. */
export type TakeValue = (part: Part) => string | undefined

/**
 * The final parts of a choice: `text` is what is shown of its text, and `noArguments` what clients are to read in place of arguments that
 * are empty or left out. Undefined when its calls do not fit the pieces in which they arrived.
 */
export function finalValues(
  pieces: PiecesOf,
  text: string,
  { toolCalls: before, callNumbers }: Pick<ChoiceEnd, 'toolCalls' | 'callNumbers'>,
  after: Outcome['toolCalls'],
  repairs: Outcome['repairs'],
  noArguments?: string,
): TakeValue | undefined {
  const values = new Map<string, readonly string[]>()
  values.set('text', distribute(pieces('text'), text, repairs))
  if (!sameCalls(before, after) || after.some((call) => call.arguments === noArguments)) {
    if (before.length !== after.length) return undefined
    for (const [at, call] of after.entries()) {
      const was = before[at] as ToolCall
      const isSame = call.name === was.name && call.arguments === was.arguments
      if (isSame && call.arguments !== noArguments) continue
      const number = callNumbers?.[at] ?? at
      const given = pieces(number)
      if (isSame) {
        if (given.join('') === '') values.set(`${number}`, distribute(given, call.arguments))
        continue
      }
      const names = pieces(number, true)
      if (names.length === 0 || (call.arguments !== was.arguments && !isSaid(given.join(''), was))) return undefined
      values.set(
        `${number}name`,
        names.map((name) => (name === was.name ? call.name : name)),
      )
      if (call.name !== was.name && !names.includes(was.name)) return undefined
      values.set(`${number}`, call.arguments === was.arguments ? given : distribute(given, call.arguments))
    }
  }
  const next = new Map<string, number>()
  return ({ of, isName }) => {
    const key = isName ? `${of}name` : `${of}`
    const at = next.get(key) ?? 0
    next.set(key, at + 1)
    return values.get(key)?.[at]
  }
}

/** Whether pieces hold the arguments of a call; some providers omit empty ones. */
function isSaid(pieces: string, { arguments: given }: ToolCall): boolean {
  return pieces === given || (pieces === '' && given === '{}')
}

/** Whether calls are the same in name and arguments. */
function sameCalls(before: readonly ToolCall[], after: readonly ToolCall[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ name, arguments: given }, at) => name === after[at]?.name && given === after[at]?.arguments)
  )
}

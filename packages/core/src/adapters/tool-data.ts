import { Answer } from '../answer/answer.ts'
import { isFields } from '../answer/tool-shapes/fields.ts'
import type { Contract } from '../contract/contract.ts'
import type { Settled } from '../engine/repair/settled.ts'

/** Judges an answer by all checks of a contract, or by those with these names. */
export type Settle = (answer: Answer, only?: readonly string[]) => Promise<Settled>

/** What has become of the data of a tool. */
export interface JudgedData {
  readonly data: unknown
  readonly changed: boolean
  /** The verdict that decides: the first one against it, else the last. */
  readonly settled: Settled | undefined
}

/** Each text of the data is judged by itself, so their number is limited. */
const mostTexts = 5000
/** Deeper data is not read. */
const mostLevels = 200

/**
 * Judges the input or output of a tool: validators whose changes are local, such as redactions, judge each text in it, the others the whole as JSON.
 *
 * Changing the JSON itself could split an escape in it.
 */
export async function judgeData(given: unknown, { validators }: Contract, settle: Settle, call?: string): Promise<JudgedData> {
  const isLocal = (name: string): boolean => validators.some((one) => one.name === name && one.prepared.edits !== undefined)
  const names = validators.map(({ name }) => name)
  const local = names.filter(isLocal)
  const whole = names.filter((name) => !isLocal(name))
  let settled: Settled | undefined
  let changed = false
  const note = (found: Settled): void => {
    settled = settled?.delivered === false ? settled : found
  }
  let left = mostTexts
  const walk = async (value: unknown, level: number): Promise<unknown> => {
    if (level > mostLevels) throw new Error(`the data is nested deeper than ${mostLevels} levels`)
    if (typeof value === 'string' && value !== '') {
      if (left-- === 0) throw new Error(`the data has more than ${mostTexts} texts`)
      const found = await settle(new Answer(value), local)
      note(found)
      changed ||= found.text !== value
      return found.text
    }
    if (Array.isArray(value)) return inOrder(value, (item) => walk(item, level + 1))
    if (!isFields(value)) return value
    const entries = await inOrder(Object.entries(value), async ([key, item]) => [key, await walk(item, level + 1)] as const)
    return Object.fromEntries(entries)
  }
  let data = local.length === 0 ? given : await walk(given, 0)
  if (whole.length > 0 && settled?.delivered !== false) {
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
    const toolCalls = call === undefined ? [] : [{ name: call, arguments: text }]
    const found = await settle(new Answer(text, { toolCalls, ...(call !== undefined && { finishReason: 'tool_calls' }) }), whole)
    note(found)
    const repaired = call === undefined ? text : (found.toolCalls[0]?.arguments ?? text)
    const after = repaired === text ? found.text : repaired
    if (after !== text) {
      changed = true
      data = typeof data === 'string' ? after : (JSON.parse(after) as unknown)
    }
  }
  return { data: changed ? data : given, changed, settled }
}

async function inOrder<Item, Result>(items: readonly Item[], make: (item: Item) => Promise<Result>): Promise<Result[]> {
  const made: Result[] = []
  for (const item of items) made.push(await make(item))
  return made
}

/** Put in place of each text of a tool's output that may not reach the model. */
const withheldText = '[withheld by Stickler]'

/** The same data without its texts: it keeps its shape, since hosts drop an output that a tool cannot have. */
export function withheld(value: unknown, level = 0): unknown {
  if (typeof value === 'string' || level > mostLevels) return value === '' ? value : withheldText
  if (Array.isArray(value)) return value.map((item) => withheld(item, level + 1))
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withheld(item, level + 1)])) : value
}

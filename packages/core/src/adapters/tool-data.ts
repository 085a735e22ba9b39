import { Answer } from '../answer/answer.ts'
import { isFields } from '../answer/tool-shapes/fields.ts'
import type { Contract } from '../contract/contract.ts'
import type { Locale } from '../contract/locale.ts'
import { errorsOf } from '../engine/check/report.ts'
import type { Settled } from '../engine/repair/settled.ts'
import { type Settle, TextJudge } from './text-judge.ts'

/** A way to a part of data. */
type DataPath = readonly (string | number)[]

/** What has become of the data of a tool. */
export interface JudgedData {
  readonly data: unknown
  readonly changed: boolean
  /** Whether it may not be used: it breaks the contract, or what would repair it cannot be changed, as keys, numbers and the name of a call. */
  readonly refused: boolean
  /** The verdict that decides: the first one against it, else the last. */
  readonly settled: Settled | undefined
  /** Where the text of that verdict is; empty for the whole. */
  readonly path: readonly (string | number)[]
  /** The keys and numbers that may not be used. */
  readonly fixed: ReadonlySet<string>
}

/** Thrown for data that has too much to judge. */
export class TooMuchData extends Error {}

/** Each text of the data is judged by itself, so their number is limited. */
const mostTexts = 5000
/** Deeper data is not read. */
const mostLevels = 200

/**
 * Judges the input or output of a tool: validators of text judge each text in it, with its keys and numbers, and those whose changes are not local also the whole as JSON.
 *
 * JSON escapes texts, so that a rule on them would not match; changing the JSON itself could split an escape. What surrounds the data of a protocol is not judged as a whole, nor are its own keys.
 */
export async function judgeData(
  given: unknown,
  contract: Contract,
  settle: Settle,
  call?: string,
  protocol?: ReadonlySet<string>,
): Promise<JudgedData> {
  const { validators, policy } = contract
  const whole = protocol ? [] : validators.filter(({ prepared }) => prepared.edits === undefined || prepared.lines).map(({ name }) => name)
  const judge = new TextJudge(validators, settle)
  const fixed = new Set<string>()
  let settled: Settled | undefined
  let path: DataPath = []
  let refused = false
  let changed = false
  const note = (found: Settled, at: DataPath, isRefused = !found.delivered): void => {
    if (refused) return
    settled = found
    path = at
    refused = isRefused
  }
  let texts = 0
  const limit = (count: number): void => {
    if (count > mostTexts) throw new TooMuchData(`the data has more than ${mostTexts} texts`)
  }
  const keys = new Set(protocol)
  const judgeFixed = async (text: string, at: DataPath, judged: Promise<Settled | undefined>): Promise<void> => {
    const found = await judged
    if (found === undefined) return
    // What a lenient contract would only mention need not be changed.
    const isRefused = !found.delivered || (found.text !== text && policy.mode === 'strict')
    if (isRefused) fixed.add(text)
    note(found, at, isRefused)
  }
  const numbers = new Set<string>()
  const walk = async (value: unknown, at: DataPath): Promise<unknown> => {
    if (at.length > mostLevels) throw new TooMuchData(`the data is nested deeper than ${mostLevels} levels`)
    if (typeof value === 'number') numbers.add(String(value))
    if (typeof value === 'string' && value !== '') {
      limit(++texts)
      const { found, isMixed } = await judge.text(value)
      if (found === undefined) return value
      note(found, at, !found.delivered || (isMixed && policy.mode === 'strict'))
      changed ||= found.text !== value
      return found.text
    }
    if (Array.isArray(value)) return inOrder(value, (item, index) => walk(item, [...at, index]))
    if (!isFields(value)) return value
    const entries = await inOrder(Object.entries(value), async ([key, item]) => {
      if (key !== '' && !keys.has(key)) {
        limit(keys.add(key).size)
        await judgeFixed(key, at, judge.key(key))
      }
      return [key, await walk(item, [...at, key])] as const
    })
    return Object.fromEntries(entries)
  }
  let data = judge.isIdle ? given : await walk(given, [])
  if (numbers.size > 0) {
    const text = [...numbers].join(betweenNumbers)
    await judgeFixed(text, [], judge.numbers(text))
    if (fixed.has(text)) for (const number of numbers) fixed.add(number)
  }
  if (whole.length > 0 && !refused) {
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
    const toolCalls = call === undefined ? [] : [{ name: call, arguments: text }]
    const found = await settle(new Answer(text, { toolCalls, ...(call !== undefined && { finishReason: 'tool_calls' }) }), whole)
    const repaired = call === undefined ? undefined : found.toolCalls[0]
    // Nobody who is asked here can call another tool.
    const isRenamed = repaired !== undefined && repaired.name !== call
    note(found, [], !found.delivered || isRenamed)
    const args = repaired?.arguments ?? text
    const after = args === text ? found.text : args
    if (after !== text) {
      changed = true
      data = typeof data === 'string' ? after : (JSON.parse(after) as unknown)
    }
  }
  return { data: changed ? data : given, changed, refused, settled, path, fixed }
}

/** Keeps numbers apart, so that no two are read as one. */
const betweenNumbers = '\n\n;\n\n'

async function inOrder<Item, Result>(items: readonly Item[], make: (item: Item, index: number) => Promise<Result>): Promise<Result[]> {
  const made: Result[] = []
  for (const [index, item] of items.entries()) made.push(await make(item, index))
  return made
}

/** Put in place of each text of a tool's output that may not reach the model. */
const withheldText = '[withheld by Stickler]'
/** A key that is the name of a field, and no text. */
const plainKey = /^[\w$.-]{1,64}$/
/** The most characters of a number that tells nothing, such as an exit code. */
const plainNumber = 6

/** The same data without its texts, long numbers, and keys that are texts: it keeps its shape, since hosts drop an output that a tool cannot have. */
export function withheld(value: unknown, fixed: ReadonlySet<string> = new Set(), level = 0): unknown {
  if (typeof value === 'string' || level > mostLevels) return value === '' ? value : withheldText
  if (typeof value === 'number') return String(value).length > plainNumber || fixed.has(String(value)) ? 0 : value
  if (Array.isArray(value)) return value.map((item) => withheld(item, fixed, level + 1))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item], index) => [
      isPlain(key, fixed) ? key : `${withheldText} ${index + 1}`,
      withheld(item, fixed, level + 1),
    ]),
  )
}

/** Why data is withheld, by language. */
const reasons = {
  en: { at: 'at', unchecked: (validator: string) => `${validator} could not check it` },
  de: { at: 'in', unchecked: (validator: string) => `nicht geprüft von ${validator}` },
} as const satisfies Readonly<Record<Locale, object>>

/** What is wrong with withheld data, by codes and places: nothing of what it says. */
export function withheldReason({ settled, path, fixed }: Pick<JudgedData, 'settled' | 'path' | 'fixed'>, locale: Locale): string {
  if (settled === undefined) return ''
  const say = reasons[locale]
  const errors = errorsOf(settled).length > 0 ? errorsOf(settled) : errorsOf(settled.found)
  const told = errors.map(({ code, path: inside = [] }) => {
    const place = [...path, ...inside].map((step) => (isPlain(String(step), fixed) ? step : '?')).join('.')
    return place === '' ? code : `${code} ${say.at} ${place}`
  })
  const unchecked = settled.unchecked.map(({ validator }) => say.unchecked(validator))
  return [...new Set([...told, ...unchecked])].slice(0, mostReasons).join(', ')
}

function isPlain(key: string, fixed: ReadonlySet<string>): boolean {
  return plainKey.test(key) && !fixed.has(key)
}

/** The most reasons that are given. */
const mostReasons = 10

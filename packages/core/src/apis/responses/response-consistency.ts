import { refusalText } from '../../answer/content.ts'
import { readToolCalls } from '../../answer/tool-calls.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { isItemCall } from '../../answer/tool-shapes/native-calls.ts'
import { unreadText } from '../../engine/check/unreadable-content.ts'
import type { ChoiceEnd } from '../shared/choice-event.ts'
import type { ResponsePlace } from './response-parts.ts'

/** The end of a response, by whether all its content was checked; under a contract, a refusal beside an answer was not. */
export function judgedEnd(end: ChoiceEnd, isJudged: boolean, isGuarded: boolean): ChoiceEnd {
  const refusesToo = isGuarded && end.unread === undefined && refusalText(end.message) !== ''
  return isJudged && !refusesToo ? end : { ...end, unread: unreadText }
}

/** Whether the end of a response agrees with its events. */
export function saysTheSame(said: ReadonlyMap<string, string>, places: readonly ResponsePlace[]): boolean {
  const before = [...said].map(([key, value]): readonly [number, string, string] => {
    const [item, part = ''] = key.split('/')
    return [Number(item), part, value]
  })
  // Parts are reported in order, items may arrive concurrently.
  before.sort(([a], [b]) => a - b)
  const kinds = ['name', 'arguments', 'text'] as const
  return kinds.every((kind) => {
    const told = before.filter(([, part, value]) => value !== '' && (part === 'name' || part === 'arguments' ? part : 'text') === kind)
    const ended = places.filter(
      ({ of, isName, value }) => value !== '' && (of === 'text' ? 'text' : isName ? 'name' : 'arguments') === kind,
    )
    return told.length === ended.length && told.every(([, , value], at) => value === ended[at]?.value)
  })
}

/** Whether the end of a response lists every reported call; names and arguments of functions are compared by position. */
export function holdsCalls(output: unknown, shown: Iterable<Fields>): boolean {
  const calls = [...shown].map(callText)
  if (calls.length === 0) return true
  const listed = new Set((Array.isArray(output) ? output : []).filter(isCall).map(callText))
  return calls.every((call) => listed.has(call))
}

/** Whether a call continues its earlier form: texts and lists get longer, and missing values are filled in. */
export function continues(call: unknown, before: unknown): boolean {
  if (before === undefined || before === null || before === call) return true
  if (typeof before === 'string') return typeof call === 'string' && call.startsWith(before)
  if (typeof before !== 'object' || typeof call !== 'object' || call === null || Array.isArray(call) !== Array.isArray(before)) return false
  return Object.entries(before).every(([name, value]) => name === 'status' || continues((call as Fields)[name], value))
}

function isCall(item: unknown): item is Fields {
  return isFields(item) && isItemCall(item.type)
}

function callText(item: Fields): string {
  if (item.type !== 'function_call') return JSON.stringify(readToolCalls([item]))
  return JSON.stringify(item.namespace ?? '')
}

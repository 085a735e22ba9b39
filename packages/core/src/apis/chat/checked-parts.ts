import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { JsonEdit } from '../../json/edit-json.ts'
import { functionCallNumber } from '../shared/choice-end.ts'

/** The position of a checked part in a chunk or a completion. */
export interface JudgedPlace {
  readonly path: readonly (string | number)[]
  /** Its index in `choices`. */
  readonly at: number
  /** Its index in `tool_calls`, or the number of `function_call`. */
  readonly call?: number
  readonly isName?: true
  readonly value: string
}

/** The checked parts of a chunk or a completion, in the order in which they are written back; a completion has messages. */
export function judgedPlaces({ choices }: Fields, isWhole = false): readonly JudgedPlace[] {
  const places: JudgedPlace[] = []
  if (!Array.isArray(choices)) return places
  for (let at = 0; at < choices.length; at++) {
    const choice: unknown = choices[at]
    if (!isFields(choice)) continue
    const holder = isFields(choice.delta) && !isWhole ? 'delta' : 'message'
    const message = choice[holder]
    if (!isFields(message)) continue
    const path = ['choices', at, holder]
    addContent(places, at, [...path, 'content'], message.content)
    if (Array.isArray(message.tool_calls)) addCalls(places, at, [...path, 'tool_calls'], message.tool_calls)
    if (isFields(message.function_call)) addCall(places, at, [...path, 'function_call'], message.function_call, functionCallNumber)
  }
  return places
}

function addContent(places: JudgedPlace[], at: number, path: readonly (string | number)[], content: unknown): void {
  if (typeof content === 'string') places.push({ path, at, value: content })
  else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) {
      if (typeof part === 'string') places.push({ path: [...path, index], at, value: part })
      else if (isFields(part) && typeof part.text === 'string' && part.thought !== true && part.type !== 'reasoning') {
        places.push({ path: [...path, index, 'text'], at, value: part.text })
      }
    }
  }
}

function addCalls(places: JudgedPlace[], at: number, path: readonly (string | number)[], calls: readonly unknown[]): void {
  let position = 0
  for (const [index, call] of calls.entries()) {
    if (!isFields(call)) continue
    if (isFields(call.function)) addCall(places, at, [...path, index, 'function'], call.function, position)
    position++
  }
}

function addCall(places: JudgedPlace[], at: number, path: readonly (string | number)[], called: Fields, call: number): void {
  const { name, arguments: given } = called
  if (typeof name === 'string') places.push({ path: [...path, 'name'], at, call, isName: true, value: name })
  if (typeof given === 'string') places.push({ path: [...path, 'arguments'], at, call, value: given })
  // Omitted.
  else if ((given ?? null) === null && typeof name === 'string' && name !== '')
    places.push({ path: [...path, 'arguments'], at, call, value: '' })
}

/** Writes arguments that are an object as the JSON text that is checked, and that clients parse. */
export function addTextEdits(edits: JsonEdit[], choices: readonly unknown[]): void {
  const add = (called: unknown, ...path: JsonEdit['path']): void => {
    if (isFields(called) && isFields(called.arguments))
      edits.push({ path: [...path, 'arguments'], json: JSON.stringify(JSON.stringify(called.arguments)) })
  }
  for (let at = 0; at < choices.length; at++) {
    const choice = choices[at]
    const message: unknown = isFields(choice) ? choice.message : undefined
    if (!isFields(message)) continue
    add(message.function_call, 'choices', at, 'message', 'function_call')
    if (!Array.isArray(message.tool_calls)) continue
    for (const [index, call] of message.tool_calls.entries())
      if (isFields(call)) add(call.function, 'choices', at, 'message', 'tool_calls', index, 'function')
  }
}

/** The index of a choice, as clients read it; `otherwise` without one, and NaN if it is not a number. */
export function laneOf(choice: unknown, otherwise = 0): number {
  const index = isFields(choice) ? (choice.index ?? otherwise) : otherwise
  if (typeof index === 'number') return index
  // Most clients treat a numeric property name as a number.
  return typeof index === 'string' && String(Number(index)) === index ? Number(index) : Number.NaN
}

/** Whether a choice was requested. */
export function isAsked(lane: number, count: number): boolean {
  return Number.isInteger(lane) && lane >= 0 && lane < count
}

import { type Fields, field } from '../tool-shapes/fields.ts'
import type { Wrong } from './answer-fields.ts'

/** The keys of an answer; keys of one group belong together, keys of two groups are two answers. */
const answerKeys = [
  ['text', 'tool_calls', 'function_call', 'invalid_tool_calls', 'tool_execution_history', 'final_response', 'content', 'parts'],
  ['output', 'output_text'],
  ['message'],
  ['response'],
  ['choices'],
  ['candidates'],
]
const textKeys = ['text', 'final_response', 'content', 'parts']

/** Throws when a body holds two answers, of which only one would be checked. */
export function refuseSeveral(body: Fields, wrong: Wrong): void {
  const has = (key: string): boolean => (field(body, key) ?? undefined) !== undefined
  const groups = answerKeys.map((keys) => keys.filter(has)).filter((keys) => keys.length > 0)
  const [first, second] = groups.length > 1 ? groups.map(([key]) => key) : textKeys.filter(has)
  if (first !== undefined && second !== undefined) throw wrong(second, `excludes ${first}`)
}

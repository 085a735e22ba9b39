import * as z from 'zod/mini'
import type { Answer } from '../../answer/answer.ts'
import { isFields } from '../../answer/tool-shapes/fields.ts'
import { allowsOneCall, offeredTools } from '../../answer/tool-shapes/offered-tools.ts'
import { shownName, ToolIndex } from '../../answer/tool-shapes/tool-definition.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import { judgedAtEnd } from '../../contract/machine/at-end.ts'
import type { Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import { defineValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { findDuplicateKeys } from '../../json/duplicate-keys.ts'
import { infiniteNumber } from '../../json/infinite-number.ts'
import { parseJson } from '../../json/parse-json.ts'
import { toolCallCodes } from './codes.ts'
import { soundMessages } from './sound-messages.ts'

/** No task needs as many calls at once; what is done with each of them adds up. */
const mostCalls = 1000

/** Makes sure that an answer does not call more tools at once than are looked at. */
export function rejectManyCalls(calls: readonly unknown[]): void {
  if (calls.length > mostCalls)
    throw new TooComplex({ en: `it has more than ${mostCalls} tool calls`, de: `sie hat mehr als ${mostCalls} Tool-Aufrufe` })
}

type SoundCode = 'UNKNOWN_TOOL' | 'PARALLEL_CALLS' | 'INVALID_ARGUMENTS_JSON' | 'DUPLICATE_KEY'

/** The least that calls must be, whatever the contract is about: readable, and offered. */
export const soundCalls = prepareMachine<SoundCode>((reading) => judgedAtEnd(reading, (answer) => inspectCalls(answer, reading)), {
  reads: 'all',
})

function* inspectCalls({ toolCalls }: Answer, { context, locale }: Reading): Generator<IssueDraft<SoundCode>> {
  if (toolCalls.length === 0) return
  rejectManyCalls(toolCalls)
  const say = soundMessages[locale]
  const offered = offeredTools(context)
  // Without tools there was no request; with them, the choice cannot be understood.
  if (offered === undefined && context.tools !== undefined)
    throw new ValidatorUnavailable('the answer calls tools, but the format of the tool choice is unknown')
  if (toolCalls.length > 1 && allowsOneCall(context))
    yield issue('PARALLEL_CALLS', say.parallel(toolCalls.length), { path: ['tool_calls', 1] })
  const tools = offered && new ToolIndex(offered)
  for (const [index, call] of toolCalls.entries()) {
    const { name, arguments: given } = call
    const path = ['tool_calls', index]
    if (tools !== undefined && tools.find(call) === undefined)
      yield issue('UNKNOWN_TOOL', say.unknownTool(shownName(call), offered?.map(shownName) ?? []), { path: [...path, 'name'] })
    if (!isObject(given)) yield issue('INVALID_ARGUMENTS_JSON', say.oneObject(name), { path: [...path, 'arguments'] })
    for (const { key } of findDuplicateKeys(given))
      yield issue('DUPLICATE_KEY', say.duplicate(name, [key]), { path: [...path, 'arguments', key] })
  }
}

function isObject(text: string): boolean {
  const value = parseJson(text === '' ? '{}' : text)
  return isFields(value) && infiniteNumber(value) === undefined
}

/** `tool_calls` with `soundOnly`, for bundles that need no more of it. */
export const soundToolCalls = defineValidator({
  name: 'tool_calls',
  summary: 'Tool calls name offered tools (`context.tools`), and their arguments are one JSON object.',
  judges: 'calls',
  get options() {
    return z.strictObject({ soundOnly: z.literal(true) })
  },
  codes: toolCallCodes,
  instruct: (_options, locale) => soundMessages[locale].instruct,
  prepare: () => soundCalls,
})

import { type Fields, isFields } from '@stickler/core/internal'
import { type Judge, Unreadable, type Verdict } from './guardrail.ts'
import { changesCalls, objectsIn, settledContent } from './texts.ts'

/** Judges the choices of a chat completion or of an older completion, each by itself. */
export function judgeChoices(json: Fields, context: Fields, judge: Judge): Promise<readonly Verdict[]> {
  return judge.checkAll(
    objectsIn(json, 'choices').map((choice) => {
      const isCompletion = choice.message === undefined && typeof choice.text === 'string'
      const { text, finish_reason } = choice
      return { ...context, ...(isCompletion ? { text, finish_reason } : { response: { ...json, choices: [choice] } }) }
    }),
  )
}

/** A choice as a verdict leaves it; the same object if nothing was changed. */
export function settledChoice(choice: Fields, verdict: Verdict): Fields {
  const { given, settled } = verdict
  if (settled.text === given.text && !changesCalls(verdict)) return choice
  const { message } = choice
  if (!isFields(message)) return { ...choice, text: settledContent(choice.text, verdict) }
  const calls = changesCalls(verdict) ? settledCalls(message, verdict) : {}
  return { ...choice, message: { ...message, content: settledContent(message.content, verdict), ...calls } }
}

/** A call in the older field stays there. */
function settledCalls({ function_call: older }: Fields, { settled, toolCalls }: Verdict): Fields {
  if (!isFields(older)) return { tool_calls: toolCalls }
  const [call, ...others] = settled.toolCalls
  if (call === undefined || others.length > 0) throw new Unreadable('The repaired calls have no place in the response.')
  return { function_call: { ...older, name: call.name, arguments: call.arguments } }
}

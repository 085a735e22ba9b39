import { type Contract, RunnerFailure } from '@stickler/core'
import { contentText, type Fields, isFields, refusalText } from '@stickler/core/internal'
import { changedCopies, hasUnread, needOnlyJudged, saysSomething, withoutOtherCopies } from '@stickler/core/internal/apis'
import { reasoningSecrets } from '@stickler/core/internal/relay'
import { type Judge, Unreadable, type Verdict } from './guardrail.ts'
import { changesCalls, objectsIn, settledContent } from './texts.ts'

/** Judges the choices of a chat completion or of an older completion, each by itself; throws when they say more than is judged. */
export function judgeChoices(json: Fields, context: Fields, judge: Judge): Promise<readonly Verdict[]> {
  const choices = objectsIn(json, 'choices')
  if (hasUnread(json)) throw new Unreadable('The choices have content that cannot be read.')
  return judge.checkAll(
    choices.map((choice) => {
      const { text, finish_reason } = choice
      if (isCompletion(choice)) return { ...context, text, finish_reason }
      needOneContent(choice)
      return { ...context, response: { ...json, choices: [choice] } }
    }),
  )
}

function isCompletion({ message, delta, text }: Fields): boolean {
  return message === undefined && typeof text === 'string' && !saysSomething(delta)
}

/** The same conflicts are refused in replies of providers. */
function needOneContent(choice: Fields): void {
  try {
    needOnlyJudged({ choices: [choice] }, 'message')
    const { message } = choice
    if (isFields(message) && contentText(message.content) !== '' && refusalText(message) !== '')
      throw new Unreadable('A message has a refusal beside its content.')
  } catch (error) {
    throw error instanceof RunnerFailure ? new Unreadable(`${error.message}.`) : error
  }
}

/** Choices as their verdicts leave them, without secrets in the reasoning and without copies that were not judged; the same objects where nothing was changed. */
export function settledChoices(given: readonly Fields[], verdicts: readonly Verdict[], contract: Contract): readonly Fields[] {
  if (contract.policy.mode === 'shadow') return given
  return given.map((choice, at) => withoutSecrets(settledChoice(choice, verdicts[at] as Verdict), contract))
}

/** What a model has thought, without what the contract redacts from texts; the same object where nothing is. */
export function withoutSecrets(value: Fields, contract: Contract): Fields {
  return reasoningSecrets({ contractName: 'guardrail', contract })?.without(value) ?? value
}

function settledChoice(choice: Fields, verdict: Verdict): Fields {
  const { given, settled } = verdict
  const isSame = settled.text === given.text && !changesCalls(verdict)
  if (!isFields(choice.message)) return isSame ? choice : { ...choice, text: settledContent(choice.text, verdict) }
  const message = withoutOtherCopies(choice.message)
  if (isSame) return message === choice.message ? choice : { ...choice, message }
  const calls = changesCalls(verdict) ? settledCalls(message, verdict) : {}
  const copies = changedCopies(message, settled.text)
  const text = typeof choice.text === 'string' && choice.text !== '' ? { text: settled.text } : {}
  return { ...choice, ...text, message: { ...message, ...copies, content: settledContent(message.content, verdict), ...calls } }
}

/** A call in the older field stays there. */
function settledCalls({ function_call: older }: Fields, { settled, toolCalls }: Verdict): Fields {
  if (!isFields(older)) return { tool_calls: toolCalls }
  const [call, ...others] = settled.toolCalls
  if (call === undefined || others.length > 0) throw new Unreadable('The repaired calls have no place in the response.')
  return { function_call: { ...older, name: call.name, arguments: call.arguments } }
}

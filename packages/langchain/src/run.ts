import { enforce, fromFunction, type Message, type Prompt, RunnerFailure, type TraceEvent } from '@stickler/core'
import { contentText, type Fields, isFields, notify, sumUsage, type Terms, undeliveredBy } from '@stickler/core/internal'
import { deliveredMessage } from './answer.ts'
import { carry, unload } from './conversation.ts'
import { judgedData } from './judged-data.ts'
import { isModelMessage, isOnlyFormat, type ModelMessage, readable } from './message.ts'

/** What is asked, and how. */
export interface Asked {
  readonly messages: readonly unknown[]
  readonly tools: readonly unknown[]
  /** Names of the tools that stand for a format of the answer. */
  readonly formats?: ReadonlySet<string> | undefined
  readonly toolChoice?: unknown
  readonly signal?: AbortSignal | undefined
  /** Calls the model once. */
  readonly ask: (messages: readonly unknown[], signal: AbortSignal) => Promise<unknown>
}

const none: ReadonlySet<string> = new Set()

/**
 * Asks until a message, or the text of a chain, keeps the contract; other data of a chain is judged once.
 *
 * Throws what the provider or the abort has thrown, as it is, else an `UndeliveredError`.
 */
export async function run({ messages, tools, formats = none, toolChoice, signal, ask }: Asked, terms: Terms): Promise<unknown> {
  const { contract, options } = terms
  const { echoLimit, context: given, onEvent, ...others } = options
  const attempts: (ModelMessage | string)[] = []
  let delivered: ModelMessage | string | undefined
  let judged: { readonly result: unknown } | undefined
  let thrown: unknown
  const prompt = carry(messages)
  const context = { ...contextOf(prompt, tools, toolChoice), ...given }
  const take = async (result: unknown): Promise<ModelMessage | string> => {
    if (typeof result !== 'string' && !(isModelMessage(result) && !isOnlyFormat(result, formats))) {
      judged = { result: isModelMessage(result) ? result : await judgedData(result, contract, { ...others, context }) }
      throw new RunnerFailure('crash', 'this answer is no text')
    }
    attempts.push(result)
    return typeof result === 'string' ? result : readable(result, formats)
  }
  const runner = fromFunction<Message>(
    async (asked, call) => {
      thrown = undefined
      try {
        const last = attempts.at(-1)
        return await take(await ask(unload(asked, isModelMessage(last) ? last : undefined), call.signal))
      } catch (error) {
        thrown = error
        throw error
      }
    },
    echoLimit === undefined ? {} : { echoLimit },
  )
  const listen = (event: TraceEvent): void => {
    if (event.type === 'decided' && event.action === 'deliver') delivered = attempts[event.attempt - 1]
    // For the engine a call without a text has failed.
    if (judged === undefined) notify(onEvent, event)
  }
  const signalled = signal && { signal }
  const outcome = await enforce({ ...others, contract, runner, prompt: prompt as Prompt, context, onEvent: listen, ...signalled })
  if (judged !== undefined) return judged.result
  const template = delivered ?? attempts.at(-1)
  if (!outcome.delivered || template === undefined) throw undeliveredBy(outcome, thrown, signal)
  return typeof template === 'string' ? outcome.text : deliveredMessage(outcome, template, usageOf(attempts), formats)
}

/** The sum of what all attempts have used; undefined when none tells. */
function usageOf(attempts: readonly (ModelMessage | string)[]): object | undefined {
  const usages = attempts.flatMap((one) => (isModelMessage(one) && isFields(one.usage_metadata) ? [one.usage_metadata] : []))
  return usages.length === 0 ? undefined : sumUsage(usages)
}

/** Facts of the request that validators read. */
function contextOf(prompt: readonly Message[], tools: readonly unknown[], toolChoice: unknown): Fields {
  return {
    question: contentText(prompt.findLast(({ role }) => role === 'user')?.content),
    tools,
    ...(toolChoice === undefined ? {} : { toolChoice }),
  }
}

import { enforce, fromFunction, type Message, type Outcome, type Prompt, RunnerFailure, type TraceEvent } from '@stickler/core'
import { contentText, type Fields, isFields, notify, sumUsage, type Terms, undeliveredBy } from '@stickler/core/internal'
import { deliveredMessage } from './answer.ts'
import { carry, unload } from './conversation.ts'
import { isModelMessage, type ModelMessage, readable } from './message.ts'

/** What is asked, and how. */
export interface Asked {
  readonly messages: readonly unknown[]
  readonly tools: readonly unknown[]
  readonly toolChoice?: unknown
  readonly signal?: AbortSignal | undefined
  /** Calls the model once. */
  readonly ask: (messages: readonly unknown[], signal: AbortSignal) => Promise<unknown>
  /** Whether LangChain itself deals with what a call has brought, and asks again where it must. */
  readonly isHandled?: (result: unknown) => boolean
}

/** What comes of a run: a message of the model, or what LangChain has made of it. */
export interface Ran {
  readonly result: unknown
  /** Absent when LangChain deals with the result. */
  readonly outcome?: Outcome
}

/** Asks until a message keeps the contract; throws what the provider or the abort has thrown, as it is, else an `UndeliveredError`. */
export async function run({ messages, tools, toolChoice, signal, ask, isHandled }: Asked, { contract, options }: Terms): Promise<Ran> {
  const { echoLimit, context, onEvent, ...others } = options
  const attempts: ModelMessage[] = []
  let delivered: ModelMessage | undefined
  let handled: { readonly result: unknown } | undefined
  let thrown: unknown
  const runner = fromFunction<Message>(
    async (asked, call) => {
      thrown = undefined
      try {
        const result = await ask(unload(asked, attempts.at(-1)), call.signal)
        if (isHandled?.(result) || !isModelMessage(result)) {
          handled = { result }
          throw new RunnerFailure('crash', 'LangChain deals with this answer')
        }
        attempts.push(result)
        return readable(result)
      } catch (error) {
        thrown = error
        throw error
      }
    },
    echoLimit === undefined ? {} : { echoLimit },
  )
  const listen = (event: TraceEvent): void => {
    if (event.type === 'decided' && event.action === 'deliver') delivered = attempts[event.attempt - 1]
    notify(onEvent, event)
  }
  const prompt = carry(messages)
  const outcome = await enforce({
    ...others,
    contract,
    runner,
    prompt: prompt as Prompt,
    context: { ...contextOf(prompt, tools, toolChoice), ...context },
    onEvent: listen,
    ...(signal && { signal }),
  })
  if (handled !== undefined) return handled
  if (!outcome.delivered) throw undeliveredBy(outcome, thrown, signal)
  const template = delivered ?? attempts.at(-1)
  if (template === undefined) throw undeliveredBy(outcome, thrown, signal)
  const usages = attempts.flatMap(({ usage_metadata: usage }) => (isFields(usage) ? [usage] : []))
  return { result: deliveredMessage(outcome, template, usages.length === 0 ? undefined : sumUsage(usages)), outcome }
}

/** Facts of the request that validators read. */
function contextOf(prompt: readonly Message[], tools: readonly unknown[], toolChoice: unknown): Fields {
  return {
    question: contentText(prompt.findLast(({ role }) => role === 'user')?.content),
    tools,
    ...(toolChoice === undefined ? {} : { toolChoice }),
  }
}

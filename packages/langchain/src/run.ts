import {
  type CallOptions,
  type CheckOptions,
  type Contract,
  enforce,
  fromFunction,
  type Message,
  type Prompt,
  type Runner,
  RunnerFailure,
  type ToolCall,
  type TraceEvent,
  type UndeliveredError,
} from '@stickler/core'
import {
  asMessages,
  contentText,
  type Fields,
  isFields,
  notify,
  placeSchema,
  requestContract,
  sumUsage,
  type Terms,
  undeliveredBy,
  withSchema,
} from '@stickler/core/internal'
import { deliveredMessage, withoutSecrets } from './answer.ts'
import { carry, unload } from './conversation.ts'
import { dataVerdict, judgedData } from './judged-data.ts'
import { formatCalls, isModelMessage, isOnlyFormat, type MessageCall, type ModelMessage, readable, withArguments } from './message.ts'

/** What is asked, and how. */
export interface Asked {
  readonly messages: readonly unknown[]
  readonly tools: readonly unknown[]
  /** Names of the tools that stand for a format of the answer: their arguments are judged as data. */
  readonly formats?: ReadonlySet<string> | undefined
  /** Whether LangChain itself compares these with their schemas, and asks again. */
  readonly readsFormats?: boolean
  readonly toolChoice?: unknown
  /** What is asked for, in the words of chat completions. */
  readonly asked?: Fields
  /** The schema that the request has for its answer. */
  readonly ownSchema?: Fields | undefined
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
export async function run(given: Asked, terms: Terms): Promise<unknown> {
  const { messages, tools, formats: judgedFormats = none, toolChoice, ownSchema, signal, ask } = given
  const formats = given.readsFormats === true ? judgedFormats : none
  const { contract, options } = terms
  const { echoLimit, context: known, onEvent, ...others } = options
  const attempts: (ModelMessage | string)[] = []
  let delivered: ModelMessage | string | undefined
  let judged: { readonly result: unknown } | undefined
  let thrown: unknown
  const prompt = carry(messages)
  const context = { ...contextOf(prompt, tools, toolChoice), ...known }
  const checking = { ...others, context }
  const refused = new Map<unknown, UndeliveredError>()
  const take = async (taken: unknown): Promise<ModelMessage | string> => {
    const { result, refusal } = isModelMessage(taken) ? await judgedFormat(taken, judgedFormats, contract, checking) : { result: taken }
    if (refusal) {
      refused.set(result, refusal.error)
      attempts.push(result as ModelMessage)
      return { ...readable(result as ModelMessage, none), content: refusal.text }
    }
    if (typeof result !== 'string' && !(isModelMessage(result) && !isOnlyFormat(result, formats))) {
      judged = { result: isModelMessage(result) ? withoutSecrets(result, contract) : await judgedData(result, contract, checking) }
      throw new RunnerFailure('crash', 'this answer is no text')
    }
    attempts.push(result)
    return typeof result === 'string' ? result : readable(result, formats)
  }
  const asking = fromFunction<Message>(
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
  const runner: Runner = {
    takesSchema: true,
    ownSchema: judgedFormats.size > 0 ? (ownSchema ?? {}) : ownSchema,
    run: (session, asked, call) => asking.run(session, withFormat(asked, call), call),
    continue: (session, words, call) => asking.continue(session, words, { ...call, original: withFormat(call.original, call) }),
  }
  const listen = (event: TraceEvent): void => {
    if (event.type === 'decided' && event.action === 'deliver') delivered = attempts[event.attempt - 1]
    // For the engine a call without a text has failed.
    if (judged === undefined) notify(onEvent, event)
  }
  const signalled = signal && { signal }
  const outcome = await enforce({
    ...others,
    contract: requestContract(contract, given.asked ?? {}),
    runner,
    prompt: prompt as Prompt,
    context,
    onEvent: listen,
    ...signalled,
  })
  if (judged !== undefined) return judged.result
  const template = delivered ?? attempts.at(-1)
  if (!outcome.delivered || template === undefined) throw undeliveredBy(outcome, thrown, signal)
  if (typeof template === 'string') return outcome.text
  const refusal = outcome.fallback ? undefined : refused.get(template)
  if (refusal) throw refusal
  const isValue = given.asked?.response_format !== undefined
  const calls: ToolCall[] = []
  // Repairs may have made another one of what could not be parsed.
  for (const call of outcome.toolCalls) {
    const data = judgedFormats.has(call.name) ? await judgedData(JSON.parse(call.arguments), contract, checking) : undefined
    const args = data === undefined ? call.arguments : JSON.stringify(data)
    calls.push(args === call.arguments ? call : { ...call, arguments: args })
  }
  return withoutSecrets(deliveredMessage(outcome, template, calls, usageOf(attempts), formats, isValue), contract)
}

/** The schema is a message of its own, which is put together with the caller's. */
function withFormat(prompt: Prompt, { format }: CallOptions): Prompt {
  const { inPrompt } = placeSchema(format, { messages: prompt }, undefined)
  return inPrompt === undefined ? prompt : withSchema(asMessages(prompt), inPrompt)
}

interface JudgedFormat {
  readonly result: ModelMessage
  readonly refusal?: { readonly error: UndeliveredError; readonly text: string }
}

/** A message with what the contract makes of the calls that stand for its answer, or why it may not be used. */
async function judgedFormat(
  message: ModelMessage,
  formats: ReadonlySet<string>,
  contract: Contract,
  options: CheckOptions,
): Promise<JudgedFormat> {
  const changed = new Map<MessageCall, unknown>()
  for (const call of formatCalls(message, formats)) {
    const verdict = await dataVerdict(call.args, contract, options)
    if ('error' in verdict) return { result: message, refusal: verdict }
    if (verdict.data !== call.args) changed.set(call, verdict.data)
  }
  return { result: changed.size === 0 ? message : withArguments(message, changed) }
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

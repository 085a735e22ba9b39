import type { Contract } from '@stickler/core'
import { contentText, type EnforcedOptions, isFields, parseJson, readTerms } from '@stickler/core/internal'
import { isModelMessage, likeMessage, type MessageLike, type ModelMessage } from './message.ts'
import { modelOf, quiet, show } from './quiet.ts'
import { run } from './run.ts'

/** A middleware for `createAgent` of LangChain 1. */
export interface ContractMiddleware {
  name: string
  /** Called around each call of the model. */
  wrapModelCall<Request extends object, Message extends object>(
    request: Request,
    handler: (request: Request) => Message | Promise<Message>,
  ): Promise<Message>
}

/** What is read of a request. */
interface AgentCall {
  readonly model?: unknown
  readonly messages: readonly unknown[]
  readonly tools?: readonly unknown[]
  readonly toolChoice?: unknown
  readonly responseFormat?: unknown
  readonly systemMessage?: MessageLike
  readonly runtime?: { readonly signal?: AbortSignal }
}

/** Makes a middleware of a contract for `createAgent`: every answer of its model keeps it, or the agent throws an error whose `cause` is an `UndeliveredError`. */
export function sticklerMiddleware(contract: Contract, options: EnforcedOptions = {}): ContractMiddleware {
  const terms = readTerms(contract, options)
  return {
    name: 'Stickler',
    async wrapModelCall<Request extends object, Message extends object>(
      request: Request,
      handler: (request: Request) => Message | Promise<Message>,
    ) {
      const call = request as AgentCall
      const { messages, tools = [], toolChoice, responseFormat, systemMessage, runtime } = call
      const model = await modelOf(call.model)
      const ask = async (asked: readonly unknown[]): Promise<unknown> => {
        const { value, result } = judgedIn(await handler({ ...request, model: quiet(model), ...withRules(asked, systemMessage) }))
        structured = result
        return value
      }
      let structured: Structured | undefined
      const isHandled = (answer: unknown): boolean => isStructured(answer, responseFormat, tools)
      const { result, outcome } = await run({ messages, tools, toolChoice, signal: runtime?.signal, ask, isHandled }, terms)
      const message = isModelMessage(result) ? result : messageIn(result)
      if (message !== undefined) await show(model, message)
      if (structured === undefined || outcome === undefined) return result as Message
      const { structuredResponse, messages: given } = structured
      // A fallback in words has no value.
      const isSame = contentText((given[0] as MessageLike).content) === outcome.text
      return { structuredResponse: isSame ? structuredResponse : parseJson(outcome.text), messages: [result] } as unknown as Message
    },
  }
}

/** What LangChain returns in place of a message when it has read a structured response. */
interface Structured {
  readonly structuredResponse: unknown
  readonly messages: readonly unknown[]
}

/** The message to judge: also the one below a response that the provider has written in the format itself. */
function judgedIn(given: unknown): { readonly value: unknown; readonly result?: Structured } {
  if (!isFields(given) || !('structuredResponse' in given) || !Array.isArray(given.messages) || given.messages.length !== 1)
    return { value: given }
  return { value: given.messages[0], result: given as unknown as Structured }
}

/** The model's message in what LangChain has made of it. */
function messageIn(given: unknown): ModelMessage | undefined {
  return isFields(given) && Array.isArray(given.messages) ? given.messages.find(isModelMessage) : undefined
}

/** Rules that the engine has put into a system message belong to the agent's: some providers take no second one. */
function withRules(asked: readonly unknown[], systemMessage: MessageLike | undefined): object {
  const isRule = (message: unknown): boolean => isFields(message) && message.role === 'system' && !('type' in message)
  const rules = asked.filter(isRule).map((message) => contentText((message as MessageLike).content))
  if (rules.length === 0 || systemMessage === undefined) return { messages: asked }
  const own = Array.isArray(systemMessage.content) ? systemMessage.content : [{ type: 'text', text: systemMessage.content }]
  const parts = [...own.filter((part: unknown) => !isFields(part) || part.text !== ''), { type: 'text', text: rules.join('\n\n') }]
  const content = parts.length === 1 ? rules.join('\n\n') : parts
  return { messages: asked.filter((message) => !isRule(message)), systemMessage: likeMessage(systemMessage, { content }) }
}

/** Whether a message calls a tool that stands for the response format: LangChain reads it, and asks again by itself. */
function isStructured(answer: unknown, responseFormat: unknown, tools: readonly unknown[]): boolean {
  if (!isModelMessage(answer) || responseFormat === undefined || responseFormat === null) return false
  const offered = new Set(tools.map((tool) => (isFields(tool) ? tool.name : undefined)))
  const formats = Array.isArray(responseFormat) ? responseFormat : [responseFormat]
  const names = formats.map((format: unknown) => (isFields(format) && isFields(format.tool) ? format.name : undefined))
  // The name for a schema without a strategy is made up within.
  const isFormat = (name: string): boolean => (names.includes(undefined) ? !offered.has(name) : names.includes(name))
  return (answer.tool_calls ?? []).some(({ name }) => isFormat(name))
}

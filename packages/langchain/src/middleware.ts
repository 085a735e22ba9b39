import type { Contract } from '@stickler/core'
import { type EnforcedOptions, isFields, readTerms } from '@stickler/core/internal'
import { enforcedLike } from './enforced.ts'
import { isModelMessage, type ModelMessage } from './message.ts'
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
  readonly runtime?: { readonly signal?: AbortSignal }
}

/**
 * Makes a middleware of a contract for `createAgent`: every answer of its model keeps it, or the agent throws an error whose `cause` is an `UndeliveredError`.
 *
 * The model itself is put under the contract, because LangChain keeps a message for the conversation as soon as it has read a format in it.
 */
export function sticklerMiddleware(contract: Contract, options: EnforcedOptions = {}): ContractMiddleware {
  const terms = readTerms(contract, options)
  return {
    name: 'Stickler',
    async wrapModelCall<Request extends object, Message extends object>(
      request: Request,
      handler: (request: Request) => Message | Promise<Message>,
    ) {
      const { model: given, messages, tools = [], toolChoice, runtime } = request as AgentCall
      const known = new WeakMap<object, string>()
      const onJudged = (message: unknown): void => void (isModelMessage(message) && known.set(message, saidBy(message)))
      const model = enforcedLike(await modelOf(given), terms, { tools: [], agentTools: tools, toolChoice, onJudged })
      const first = await handler({ ...request, model })
      if (isFields(first) && messagesIn(first).some((message) => known.get(message) === saidBy(message))) return first
      // A middleware after this one has changed the message, or the model.
      if (!isModelMessage(first))
        throw new Error('the answer was not judged: put the middleware of Stickler after those that choose a model')
      let waiting: unknown = first
      const ask = async (asked: readonly unknown[]): Promise<unknown> => {
        const message = waiting ?? (await handler({ ...request, model, messages: asked }))
        waiting = undefined
        return message
      }
      return (await run({ messages, tools, toolChoice, signal: runtime?.signal, ask }, terms)) as Message
    },
  }
}

/** The model itself: what is only configured by its name loses its options when tools are bound to it. */
async function modelOf(given: unknown): Promise<unknown> {
  return isFields(given) && typeof given._getModelInstance === 'function' ? await given._getModelInstance() : given
}

/** The messages of the model in what LangChain has made of it: beside a response in a format it returns a list. */
function messagesIn(given: object): readonly ModelMessage[] {
  const list: readonly unknown[] = 'messages' in given && Array.isArray(given.messages) ? given.messages : [given]
  return list.filter(isModelMessage)
}

/** All that was judged of a message: a middleware may change it in place. */
function saidBy({ content, tool_calls, invalid_tool_calls, additional_kwargs }: ModelMessage): string {
  return JSON.stringify([content, tool_calls, invalid_tool_calls, additional_kwargs])
}

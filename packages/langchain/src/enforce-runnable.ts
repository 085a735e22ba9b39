import { ConfigurationError, type Contract } from '@stickler/core'
import { type EnforcedOptions, isFields, readTerms, type Terms } from '@stickler/core/internal'
import { invokeHearing } from './hearing.ts'
import { quietly } from './quiet.ts'
import { run } from './run.ts'

/** A chat model of LangChain, or what `bindTools` and `withConfig` make of one, as far as a wrapper must know it. */
export interface RunnableLike {
  invoke(input: never, options?: never): Promise<unknown>
}

type Invoke = (input: unknown, options?: object) => Promise<unknown>

/** The same model, but every answer of it keeps the contract, or an `UndeliveredError` says why not; a stream brings the message in one piece. */
export function enforceRunnable<M extends RunnableLike>(model: M, contract: Contract, options: EnforcedOptions = {}): M {
  if (!isFields(model) || typeof model.invoke !== 'function')
    throw new ConfigurationError([{ message: 'pass a chat model of LangChain, such as `new ChatOpenAI(…)`', path: ['model'] }])
  return wrapped(model, readTerms(contract, options), [])
}

function wrapped<M extends RunnableLike>(model: M, terms: Terms, tools: readonly unknown[]): M {
  const inner = model as unknown as { invoke: Invoke } & Record<string, (...given: unknown[]) => RunnableLike>
  const invoke: Invoke = async (input, options) => {
    const given = (isFields(options) ? options.signal : undefined) as AbortSignal | undefined
    const ask = (messages: readonly unknown[], signal: AbortSignal) => invokeHearing(model, messages, quietly(options, signal))
    return (await run({ messages: messagesOf(input), tools, signal: given, ask }, terms)).result
  }
  async function* pieces(input: unknown, options?: object): AsyncGenerator<unknown> {
    yield await invoke(input, options)
  }
  const own: Record<string, unknown> = {
    invoke,
    batch: (inputs: readonly unknown[], options?: object, how?: object) => batch(invoke, inputs, options, how),
    stream: async (input: unknown, options?: object) => ReadableStream.from(pieces(input, options)),
    _streamIterator: pieces,
    transform: async function* (inputs: AsyncIterable<unknown>, options?: object) {
      for await (const input of inputs) yield* pieces(input, options)
    },
    withConfig: (config: object) => wrapped(inner.withConfig?.(config) as RunnableLike, terms, tools),
    ...(typeof inner.bindTools === 'function' && {
      bindTools: (bound: readonly unknown[], ...rest: unknown[]) =>
        wrapped(inner.bindTools?.(bound, ...rest) as RunnableLike, terms, bound),
    }),
  }
  return Object.create(model, Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }])))
}

/** What a model is asked, as a list: of a text, a prompt that was filled in, or messages. */
function messagesOf(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input
  return isFields(input) && typeof input.toChatMessages === 'function' ? (input.toChatMessages() as readonly unknown[]) : [input]
}

async function batch(invoke: Invoke, inputs: readonly unknown[], options: unknown, how: unknown): Promise<unknown[]> {
  const results: unknown[] = []
  const optionsAt = (at: number): unknown => (Array.isArray(options) ? options[at] : options)
  const [isLenient, limit] = [isFields(how) && how.returnExceptions === true, limitIn(optionsAt(0)) ?? limitIn(how) ?? inputs.length]
  const open = inputs.entries()
  const work = async (): Promise<void> => {
    for (const [at, input] of open) {
      const answer = invoke(input, optionsAt(at) as object | undefined)
      results[at] = await (isLenient ? answer.catch((thrown: unknown) => thrown) : answer)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, work))
  return results
}

function limitIn(options: unknown): number | undefined {
  return isFields(options) && typeof options.maxConcurrency === 'number' ? options.maxConcurrency : undefined
}

import type { ContractOptions } from '@stickler/core'
import { maxWords } from '@stickler/core/validators'
import type { Generated, Params, Part, Streamed } from '../model.ts'

/** A question, as the SDK passes it to a model. */
export const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Tabs or spaces?' }] }]

/** At most three words, after one retry. */
export const brief = { checks: [maxWords({ limit: 3 })], retries: 1, stream: 'hold' } as const satisfies ContractOptions

/** What an answer is made of, however it was asked for. */
export interface Asked {
  readonly parts: readonly Part[]
  readonly text: string
  readonly finishReason?: unknown
  readonly usage?: unknown
  readonly providerMetadata?: Readonly<Record<string, unknown>>
  readonly error?: unknown
}

/** A model as its caller sees it. */
export interface Asking {
  doGenerate(params: Params): PromiseLike<Generated>
  doStream(params: Params): PromiseLike<Streamed>
}

async function readAll(stream: ReadableStream<Part>): Promise<{ readonly parts: readonly Part[]; readonly error?: unknown }> {
  const parts: Part[] = []
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { parts }
      parts.push(value)
    }
  } catch (error) {
    return { parts, error }
  }
}

/** The same of both ways of asking. */
export async function ask(model: object, isStreamed: boolean, params: object = {}): Promise<Asked> {
  const asking = model as Asking
  const called: Params = { prompt, ...params }
  if (!isStreamed) {
    const { content, finishReason, usage, providerMetadata } = await asking.doGenerate(called)
    return {
      parts: content,
      text: joined(content, 'text', 'text'),
      finishReason,
      usage,
      ...(providerMetadata && { providerMetadata: { ...providerMetadata } }),
    }
  }
  const { stream } = await asking.doStream(called)
  const { parts, error } = await readAll(stream)
  const { finishReason, usage, providerMetadata } = parts.find(({ type }) => type === 'finish') ?? { type: '' }
  const metadata = providerMetadata as Asked['providerMetadata']
  return {
    parts,
    text: joined(parts, 'text-delta', 'delta'),
    finishReason,
    usage,
    ...(metadata && { providerMetadata: metadata }),
    ...(error !== undefined && { error }),
  }
}

/** What parts of one type say together. */
export const joined = (parts: readonly Part[], type: string, field: string): string =>
  parts
    .filter((part) => part.type === type)
    .map((part) => part[field])
    .join('')

/** The parts of one type. */
export const ofType = (parts: readonly Part[], type: string) => parts.filter((part) => part.type === type)

/** What asking fails with. */
export async function failureOf(model: object, isStreamed: boolean, params: object = {}): Promise<unknown> {
  try {
    return (await ask(model, isStreamed, params)).error
  } catch (error) {
    return error
  }
}

import type { ModelLike } from '@stickler/ai-sdk'

/** What is used of `ai`, whose two majors have types of their own. */
export interface Ai {
  generateText(options: object): Promise<Result>
  streamText(options: object): StreamedResult
  readonly Output: { object(options: { readonly schema: unknown }): object }
  stepCountIs(count: number): object
  jsonSchema(schema: object): object
  wrapLanguageModel(options: { readonly model: unknown; readonly middleware: unknown }): ModelLike
  createUIMessageStream(options: {
    execute(options: { readonly writer: { write(part: object): void; merge(stream: unknown): void } }): void
    onError?(error: unknown): string
  }): ReadableStream<UiChunk>
  readonly ToolLoopAgent: new (
    settings: object,
  ) => { generate(options: object): Promise<Result>; stream(options: object): Promise<StreamedResult> }
}

/** A chunk of a UI stream. */
export interface UiChunk {
  readonly type: string
  readonly [field: string]: unknown
}

interface Step {
  readonly content: readonly unknown[]
  readonly toolCalls: readonly unknown[]
  readonly toolResults: readonly unknown[]
  readonly finishReason: string
}

/** What a generation brings. */
export interface Result {
  readonly text: string
  readonly finishReason: string
  readonly reasoningText: string | undefined
  readonly sources: readonly unknown[]
  readonly totalUsage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined }
  readonly providerMetadata: Readonly<Record<string, unknown>> | undefined
  readonly output: unknown
  readonly steps: readonly Step[]
}

/** The same, as it comes. */
export type StreamedResult = { readonly [Key in keyof Result]: PromiseLike<Result[Key]> } & {
  readonly textStream: AsyncIterable<string>
  readonly fullStream: AsyncIterable<{ readonly type: string; readonly [field: string]: unknown }>
  toUIMessageStream(options?: object): ReadableStream<UiChunk> & AsyncIterable<UiChunk>
  toUIMessageStreamResponse(options?: object): Response
}

/** A provider at an address. */
type Provide = (baseURL: string) => ModelLike

/** One major of the SDK, with providers of its time. */
export interface Major {
  readonly name: string
  readonly version: 'v3' | 'v4'
  readonly ai: Ai
  readonly openai: Provide
  readonly responses: Provide
  readonly anthropic: Provide
  readonly compatible: Provide
}

interface Loaded {
  readonly ai: unknown
  readonly openai: { createOpenAI(options: object): { chat(name: string): ModelLike; responses(name: string): ModelLike } }
  readonly anthropic: { createAnthropic(options: object): (name: string) => ModelLike }
  readonly compatible: { createOpenAICompatible(options: object): (name: string) => ModelLike }
}

function major(version: Major['version'], { ai, openai, anthropic, compatible }: Loaded): Major {
  const at = (baseURL: string) => ({ baseURL: `${baseURL}/v1`, apiKey: 'any', name: 'stickler', includeUsage: true })
  return {
    name: version === 'v3' ? 'ai 6' : 'ai 7',
    version,
    ai: ai as Ai,
    openai: (url) => openai.createOpenAI(at(url)).chat('gpt'),
    responses: (url) => openai.createOpenAI(at(url)).responses('gpt'),
    anthropic: (url) => anthropic.createAnthropic(at(url))('claude'),
    compatible: (url) => compatible.createOpenAICompatible(at(url))('other'),
  }
}

/** The majors that run here: the newer one needs Node 22. */
export async function loadMajors(): Promise<readonly Major[]> {
  const six = major('v3', {
    ai: await import('ai'),
    openai: await import('@ai-sdk/openai'),
    anthropic: await import('@ai-sdk/anthropic'),
    compatible: await import('@ai-sdk/openai-compatible'),
  } as unknown as Loaded)
  if (Number.parseInt(process.versions.node, 10) < 22) return [six]
  const seven = major('v4', {
    ai: await import('ai-7'),
    openai: await import('ai-7-openai'),
    anthropic: await import('ai-7-anthropic'),
    compatible: await import('ai-7-openai-compatible'),
  } as unknown as Loaded)
  return [six, seven]
}

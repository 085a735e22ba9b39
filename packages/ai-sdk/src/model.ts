/** A model of the AI SDK, of any version of its specification, as far as a wrapper must know it. */
export interface ModelLike {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(options: never): PromiseLike<unknown>
  doStream(options: never): PromiseLike<unknown>
}

/** A part of a stream, or of the content of a result; fields that are not read here travel along. */
export interface Part {
  readonly type: string
  readonly [field: string]: unknown
}

/** A message of a prompt; its content is never looked into. */
export interface PromptMessage {
  readonly role: string
  readonly content: string | readonly unknown[]
  readonly [field: string]: unknown
}

/** What a model is called with, as far as it is read. */
export interface Params {
  readonly prompt: readonly PromptMessage[]
  readonly responseFormat?: { readonly type: string; readonly schema?: object }
  readonly tools?: readonly ToolLike[]
  readonly toolChoice?: unknown
  readonly includeRawChunks?: boolean
  readonly abortSignal?: AbortSignal
  readonly [field: string]: unknown
}

/** A tool that is offered: a function with a schema, or one that the provider defines. */
export interface ToolLike {
  readonly type: string
  readonly name: string
  readonly inputSchema?: unknown
}

/** What `doGenerate` returns. */
export interface Generated {
  readonly content: readonly Part[]
  /** Only in version 4: the text to parse, where that is not all text of the content. */
  readonly structuredOutputText?: string
  readonly finishReason: unknown
  readonly usage: unknown
  readonly providerMetadata?: object
  readonly response?: { readonly body?: unknown; readonly [field: string]: unknown }
  readonly [field: string]: unknown
}

/** What `doStream` returns. */
export interface Streamed {
  readonly stream: ReadableStream<Part>
  readonly [field: string]: unknown
}

/** The two calls of a model. */
export interface Model {
  readonly provider: string
  doGenerate(params: Params): PromiseLike<Generated>
  doStream(params: Params): PromiseLike<Streamed>
}

/** The text of a part's field; empty when it has none. */
export function textOf(part: Part, field: string): string {
  const text = part[field]
  return typeof text === 'string' ? text : ''
}

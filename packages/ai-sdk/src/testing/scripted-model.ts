import type { Generated, Params, Part, Streamed } from '../model.ts'

/** One answer of a script: parts of content, which are streamed piece by piece. */
export interface Turn {
  readonly content?: readonly Part[]
  readonly text?: string
  /** Characters in each delta. */
  readonly chunk?: number
  readonly finish?: { readonly unified: string; readonly raw: string | undefined }
  readonly usage?: unknown
  readonly structuredOutputText?: string
  readonly providerMetadata?: object
  /** Thrown in place of an answer, or after its parts in a stream. */
  readonly throws?: unknown
  readonly breaks?: unknown
  /** Never ends after its parts, whether or not it is aborted. */
  readonly hangs?: boolean
  /** Written before everything else in a stream. */
  readonly first?: readonly Part[]
}

/** What a scripted model was asked, and how far its caller listened. */
export interface ScriptedCall {
  readonly params: Params
  /** Parts that were read. */
  taken: number
  cancelled: boolean
}

/** Usage as both specifications report it. */
export const tokens = (input: number | undefined, output: number | undefined) => ({
  inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: output, reasoning: undefined },
})

/** A model that plays a script, in the shape of either specification. */
export function scriptedModel(turns: readonly (string | Turn)[], version: 'v3' | 'v4' = 'v3') {
  const calls: ScriptedCall[] = []
  const begin = (params: Params): { readonly turn: Turn; readonly call: ScriptedCall } => {
    const call = { params, taken: 0, cancelled: false }
    const given = turns[calls.length] ?? { throws: new Error('the script is over') }
    calls.push(call)
    return { turn: typeof given === 'string' ? { text: given } : given, call }
  }
  const finishOf = ({ finish = { unified: 'stop', raw: 'stop' }, usage = tokens(10, 5), providerMetadata }: Turn) => ({
    finishReason: finish,
    usage,
    ...(providerMetadata && { providerMetadata }),
  })
  return {
    specificationVersion: version,
    provider: 'scripted.chat',
    modelId: 'script',
    supportedUrls: {},
    calls,
    async doGenerate(params: Params): Promise<Generated> {
      const { turn } = begin(params)
      if ('throws' in turn) throw turn.throws
      if (turn.hangs) return await new Promise<never>(() => {})
      const { structuredOutputText } = turn
      const id = `response-${calls.length}`
      return {
        content: contentOf(turn),
        ...finishOf(turn),
        warnings: [],
        response: { id, modelId: 'script', timestamp: new Date(0) },
        ...(structuredOutputText !== undefined && { structuredOutputText }),
      }
    },
    async doStream(params: Params): Promise<Streamed> {
      const { turn, call } = begin(params)
      if ('throws' in turn) throw turn.throws
      const parts: Part[] = [
        { type: 'stream-start', warnings: [] },
        ...(turn.first ?? []),
        { type: 'response-metadata', id: `response-${calls.length}`, modelId: 'script', timestamp: new Date(0) },
        ...contentOf(turn).flatMap((part, index) => streamed(part, String(index), turn.chunk ?? 4)),
        ...('breaks' in turn || turn.hangs ? [] : [{ type: 'finish', ...finishOf(turn) }]),
      ]
      const stream = new ReadableStream<Part>(
        {
          async pull(controller) {
            const part = parts[call.taken]
            if (part) {
              call.taken++
              controller.enqueue(part)
            } else if (turn.hangs) await new Promise<never>(() => {})
            else if ('breaks' in turn) controller.error(turn.breaks)
            else controller.close()
          },
          cancel() {
            call.cancelled = true
          },
        },
        { highWaterMark: 0 },
      )
      return { stream, request: { body: calls.length }, response: { headers: { 'x-call': String(calls.length) } } }
    },
  }
}

function contentOf({ content, text }: Turn): readonly Part[] {
  return content ?? (text === undefined ? [] : [{ type: 'text', text }])
}

function streamed(part: Part, id: string, chunk: number): Part[] {
  const { type, text, ...rest } = part
  if (type === 'text' || type === 'reasoning') {
    const { citations, ...metadata } = rest
    return [
      { type: `${type}-start`, id },
      ...piecesOf(String(text), chunk).map((delta) => ({ type: `${type}-delta`, id, delta })),
      { type: `${type}-end`, id, ...metadata, ...(citations !== undefined && { citations }) },
    ]
  }
  if (type !== 'tool-call') return [part]
  const { toolCallId, toolName, input, providerExecuted } = part
  const own = providerExecuted === true ? { providerExecuted } : {}
  return [
    { type: 'tool-input-start', id: toolCallId, toolName, ...own },
    ...piecesOf(String(input), chunk).map((delta) => ({ type: 'tool-input-delta', id: toolCallId, delta })),
    { type: 'tool-input-end', id: toolCallId },
    part,
  ]
}

function piecesOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
}

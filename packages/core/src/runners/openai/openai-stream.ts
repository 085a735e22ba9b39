import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { ModelEvent } from '../../engine/runner.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import type { BodyReader } from '../body-reader.ts'
import { protocolFailure } from '../failures/provider-failures.ts'
import { parseJson } from '../json.ts'
import { ChunkAssembler } from './openai-chunks.ts'
import type { ReplySettings } from './openai-reply.ts'
import { type SseEvent, SseParser } from './sse.ts'

/** How long to wait for the end of a connection after the last event. */
const settleMs = 50

/** How much of the beginning is kept, to show what came in place of a stream. */
const headLength = 300

/** Reads a chat completion that comes as server-sent events. */
export async function* readStream(body: BodyReader, settings: ReplySettings = {}): AsyncGenerator<ModelEvent> {
  const parser = new SseParser()
  const chunks = new ChunkAssembler(settings)
  const beginning = new TextDecoder()
  let head = ''
  let bytes: Uint8Array | undefined
  let isDone = false
  do {
    bytes = await readOn(body, chunks)
    const isLast = bytes === undefined
    if (head.length < headLength) head += beginning.decode(bytes?.subarray(0, headLength), { stream: true })
    for (const event of bytes === undefined ? parser.end() : parser.push(bytes)) {
      if (event.data.trim() === '[DONE]') isDone = true
      if (isDone) break
      const chunk = readChunk(event, isLast)
      const text = chunk === undefined ? '' : chunks.take(chunk)
      if (text !== '') yield { type: 'text', text }
    }
  } while (bytes !== undefined && !isDone)
  if (!isDone && !chunks.finished) throw endedEarly(head)
  if (isDone) await body.settle(settleMs)
  if (chunks.rest() !== '') yield { type: 'text', text: chunks.rest() }
  yield chunks.end()
}

/** Once the model has said that it is done, a connection that breaks or falls silent takes nothing away. */
async function readOn(body: BodyReader, chunks: ChunkAssembler): Promise<Uint8Array | undefined> {
  try {
    return await body.read()
  } catch (thrown) {
    if (chunks.finished && thrown instanceof RunnerFailure && (thrown.kind === 'connection' || thrown.kind === 'timeout')) return undefined
    throw thrown
  }
}

function endedEarly(head: string): RunnerFailure {
  const isStream = head.length < 'retry:'.length || /^\s*(?::|data|event|id|retry)/.test(head)
  if (!isStream) return protocolFailure('the response is no stream of events', head)
  return new RunnerFailure('connection', 'the stream ended before the answer did')
}

function readChunk({ event, data }: SseEvent, isLast: boolean): Fields | undefined {
  if (data.trim() === '') return undefined
  const chunk = parseJson(data)
  if (isFields(chunk)) return event === 'error' && chunk.error === undefined ? { error: chunk } : chunk
  // The last event may be cut off; that the answer is incomplete is noticed by what is missing.
  if (isLast) return undefined
  throw protocolFailure('the stream holds an event that is not a JSON object', data)
}

import type { Usage } from '@stickler/core'
import { estimateTokensOfBytes, isFields, parseJson, priced, SseParser } from '@stickler/core/internal'
import { type Price, readUsage } from '@stickler/core/internal/apis'
import { withoutLimits } from '../../requests/budgets/completion-limit.ts'
import { promptTokensOf } from '../../requests/budgets/prompt-tokens.ts'
import { noUsage } from '../../requests/run-log.ts'

/** Longer replies are not buffered for parsing. */
const longestRead = 4 * 1024 * 1024

/** The prompt, for an estimate where the reply reports no usage. */
interface PassedQuestion {
  readonly asked: Readonly<Record<string, unknown>>
  /** Data, such as embeddings, has no completion tokens. */
  readonly carries: 'answers' | 'data'
  readonly price: Price | undefined
}

/** Finds the usage in a pass-through reply, so that it counts against a budget. */
export class UsageSpotter {
  readonly #question: PassedQuestion
  #isJson = false
  #pieces: Uint8Array[] = []
  #size = 0
  /** Bytes that were discarded. */
  #skipped = 0
  #hasBegun = false

  constructor(question: PassedQuestion) {
    this.#question = question
  }

  /** The reply starts. */
  begin(contentType: string): void {
    this.#hasBegun = true
    this.#isJson = /json/i.test(contentType)
  }

  /** Takes the next chunk of the reply. */
  take(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    // A stream reports its usage at the end.
    while (this.#size > longestRead && this.#pieces.length > 1) {
      const length = this.#pieces.shift()?.length ?? 0
      this.#size -= length
      this.#skipped += length
    }
  }

  /**
   * The usage that the reply reports, else an estimate from what was sent and received; undefined
   * when no reply came.
   */
  usage(): Usage {
    if (!this.#hasBegun) return noUsage
    const { asked, carries, price } = this.#question
    const bytes = Buffer.concat(this.#pieces)
    const chunks = this.#isJson ? [parseJson(bytes.toString('utf8'))] : eventsOf(bytes)
    const told = chunks
      .map((chunk) => (isFields(chunk) ? readUsage(inTokensOfChat(chunk.usage), price) : undefined))
      .findLast((usage) => usage !== undefined)
    if (told !== undefined) return told
    const isWhole = this.#skipped === 0 && !(this.#isJson && chunks[0] === undefined)
    const received = isWhole ? chunks.reduce<number>((sum, chunk) => sum + textLength(chunk), 0) : this.#skipped + this.#size
    const promptTokens = promptTokensOf(withoutLimits(asked))
    const completionTokens = carries === 'data' ? 0 : estimateTokensOfBytes(received)
    return priced({ promptTokens, completionTokens, estimated: true }, price)
  }
}

function eventsOf(bytes: Uint8Array): unknown[] {
  const parser = new SseParser()
  return [...parser.push(bytes), ...parser.end()].map(({ data }) => parseJson(data))
}

/** Bytes of text in the choices of a reply, or of a chunk of one. */
function textLength(chunk: unknown): number {
  if (!isFields(chunk) || !Array.isArray(chunk.choices)) return 0
  return chunk.choices.reduce<number>((sum, choice) => sum + (isFields(choice) ? Buffer.byteLength(String(choice.text ?? '')) : 0), 0)
}

/** Images and audio are counted as in the Responses API. */
function inTokensOfChat(usage: unknown): unknown {
  if (!isFields(usage) || (usage.input_tokens === undefined && usage.output_tokens === undefined)) return usage
  return { prompt_tokens: usage.input_tokens, completion_tokens: usage.output_tokens }
}

import type { Usage } from '@stickler/core'
import { type Fields, isFields, parseJson, readFinishReason } from '@stickler/core/internal'
import { LineReader, type OutputLimits } from '../workers/lines.ts'

/** The last message of a run. */
export interface ClaudeResult {
  readonly text: string
  /** What went wrong, when something did. */
  readonly error: string | undefined
  /** That of the result, or else of the last message; older versions tell neither. */
  readonly finishReason: string | undefined
  readonly usage: Usage | undefined
}

/** Reads what `claude --output-format stream-json` writes, cut anywhere; lines that are not messages are left out. */
export class ClaudeOutput {
  readonly #lines: LineReader
  session: string | undefined
  result: ClaudeResult | undefined
  /** The model's last message of its own, and why that ended. */
  #last: { readonly id: unknown; readonly stopReason: unknown } | undefined

  constructor(limits: OutputLimits) {
    this.#lines = new LineReader(limits, (line) => this.#line(line))
  }

  /** What was too much of the output; nothing is read any more once it is set. */
  get excess(): string | undefined {
    return this.#lines.excess
  }

  /** Takes the next bytes. */
  push(bytes: Uint8Array): void {
    this.#lines.push(bytes)
  }

  /** Takes the end; the last line need not be closed. */
  end(): void {
    this.#lines.end()
  }

  #line(line: string): void {
    // Results of tools may be megabytes, and only three kinds of messages are read.
    if (line.includes('"result"') || line.includes('"init"') || line.includes('"assistant"')) this.#message(parseJson(line))
  }

  #message(message: unknown): void {
    if (!isFields(message)) return
    if (message.type === 'assistant') this.#noteReason(message)
    const isInit = message.type === 'system' && message.subtype === 'init'
    if (!isInit && message.type !== 'result') return
    if (typeof message.session_id === 'string' && isSessionId(message.session_id)) this.session = message.session_id
    if (message.type === 'result') this.result = readResult(message, this.#last?.stopReason)
  }

  /** One message may come in several lines, of which only the last has the reason; those of subagents do not count. */
  #noteReason({ message, parent_tool_use_id: parent }: Fields): void {
    if (!isFields(message) || typeof parent === 'string') return
    const { id, stop_reason: own } = message
    const known = id !== undefined && this.#last?.id === id ? this.#last.stopReason : undefined
    this.#last = { id, stopReason: own ?? known }
  }
}

/** Whether a text can be the id of a session: one that looks like an option would be taken for one. */
export function isSessionId(text: string): boolean {
  return /^\w[\w.-]{0,199}$/.test(text)
}

/** Secrets are masked before it is cut to what is shown. */
const longestError = 8192

function readResult(message: Fields, lastReason: unknown): ClaudeResult {
  const text = typeof message.result === 'string' ? message.result : ''
  const subtype = typeof message.subtype === 'string' ? message.subtype : ''
  const hasFailed = message.is_error === true || subtype.startsWith('error')
  return {
    text,
    error: hasFailed ? (text || listed(message.errors) || subtype || 'no reason given').slice(0, longestError) : undefined,
    finishReason:
      readFinishReason(message.stop_reason) ?? readFinishReason(endOf(lastReason)) ?? (subtype === 'success' ? 'stop' : undefined),
    usage: readUsage(message),
  }
}

/** Why an answer ended by its last message; one that called a tool was not the last word. */
function endOf(reason: unknown): unknown {
  return reason === 'tool_use' ? undefined : reason
}

function listed(errors: unknown): string {
  return Array.isArray(errors) ? errors.filter((error) => typeof error === 'string').join('; ') : ''
}

function readUsage({ usage, total_cost_usd: cost }: Fields): Usage | undefined {
  if (!isFields(usage)) return undefined
  // What was read from or written to the cache is part of the prompt, but counted apart.
  const promptTokens = count(usage.input_tokens) + count(usage.cache_creation_input_tokens) + count(usage.cache_read_input_tokens)
  return { promptTokens, completionTokens: count(usage.output_tokens), ...(isCount(cost) ? { cost } : {}) }
}

function count(value: unknown): number {
  return isCount(value) ? value : 0
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

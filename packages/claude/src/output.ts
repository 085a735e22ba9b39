import type { Usage } from '@stickler/core'
import { LineReader, type OutputLimits } from '@stickler/core/node'
import { type Fields, isFields, parseJson, readFinishReason } from '@stickler/core/runners'

/** The last message of a run. */
export interface ClaudeResult {
  readonly text: string
  /** What went wrong, when something did. */
  readonly error: string | undefined
  /** Older versions do not tell it. */
  readonly finishReason: string | undefined
  readonly usage: Usage | undefined
}

/** Reads what `claude --output-format stream-json` writes, cut anywhere; lines that are not messages are left out. */
export class ClaudeOutput {
  readonly #lines: LineReader
  session: string | undefined
  result: ClaudeResult | undefined

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
    // Results of tools may be megabytes, and only two kinds of messages are read.
    if (line.includes('"result"') || line.includes('"init"')) this.#message(parseJson(line))
  }

  #message(message: unknown): void {
    if (!isFields(message)) return
    const isInit = message.type === 'system' && message.subtype === 'init'
    if (!isInit && message.type !== 'result') return
    if (typeof message.session_id === 'string' && isSessionId(message.session_id)) this.session = message.session_id
    if (message.type === 'result') this.result = readResult(message)
  }
}

/** Whether a text can be the id of a session: one that looks like an option would be taken for one. */
export function isSessionId(text: string): boolean {
  return /^\w[\w.-]{0,199}$/.test(text)
}

function readResult(message: Fields): ClaudeResult {
  const text = typeof message.result === 'string' ? message.result : ''
  const subtype = typeof message.subtype === 'string' ? message.subtype : ''
  const hasFailed = message.is_error === true || subtype.startsWith('error')
  return {
    text,
    error: hasFailed ? (text || listed(message.errors) || subtype || 'no reason given').slice(0, 300) : undefined,
    finishReason: readFinishReason(message.stop_reason),
    usage: readUsage(message),
  }
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

import { type Ports, type RuleRequest, ValidatorUnavailable } from '@stickler/core'
import type { OutsideRule } from '@stickler/core/internal'
import { ParserUnavailable, type SyntaxParser, type SyntaxVerdict } from '@stickler/core/validators'
import { PendingReplies } from '@stickler/node/internal/replies'
import type { FromThread, ParseFailure, RuleAnswer, RuleFailure } from './messages.ts'

/** The parser of the process, called from a thread by messages. */
export class MessageParser implements SyntaxParser {
  readonly #tell: (message: FromThread) => void
  readonly #replies = new PendingReplies<SyntaxVerdict>()

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell
  }

  parse(language: string, source: string, signal?: AbortSignal): Promise<SyntaxVerdict> {
    return this.#replies.ask(
      (id) => this.#tell({ parse: id, language, source }),
      signal,
      () => new ParserUnavailable('the check is over', 'aborted'),
    )
  }

  /** Takes a reply; one that nobody waits for any more is ignored. */
  take(id: number, answer: SyntaxVerdict | ParseFailure): void {
    const waiting = this.#replies.get(id)
    if ('verdict' in answer) waiting?.resolve(answer)
    else waiting?.reject(new ParserUnavailable(answer.message, answer.reason, answer.circuit, answer.fault))
  }
}

/** The ports of the process for external rules. */
export type RulePorts = Pick<Ports, 'remote' | 'command'>

/** The rules outside the process, called from a thread by messages. */
export class MessageRules {
  readonly ports: Required<RulePorts> = {
    remote: { ask: (rule, request, signal) => this.#ask({ port: 'remote', rule }, request, signal) },
    command: { ask: (rule, request, signal) => this.#ask({ port: 'command', rule }, request, signal) },
  }
  readonly #tell: (message: FromThread) => void
  readonly #replies = new PendingReplies<unknown>()

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell
  }

  /** Takes a reply; one that nobody waits for any more is ignored. */
  take(id: number, answer: RuleAnswer): void {
    const waiting = this.#replies.get(id)
    if ('value' in answer) waiting?.resolve(answer.value)
    else waiting?.reject(new ValidatorUnavailable(answer.message, answer.reason, answer))
  }

  #ask(asks: OutsideRule, request: RuleRequest, signal?: AbortSignal): Promise<unknown> {
    const gaveUp = (): ValidatorUnavailable => new ValidatorUnavailable('the check is over', 'aborted')
    return this.#replies.ask((id) => this.#tell({ ask: id, asks, request }), signal, gaveUp)
  }
}

/** Calls a rule for a thread; failures are plain data, too. */
export async function askRule(
  ports: RulePorts | undefined,
  asks: OutsideRule,
  request: RuleRequest,
  signal: AbortSignal,
  caller?: string,
): Promise<RuleAnswer> {
  try {
    const asked =
      asks.port === 'remote'
        ? ports?.remote?.ask(asks.rule, request, signal, caller)
        : ports?.command?.ask(asks.rule, request, signal, caller)
    return asked === undefined ? { message: `the rule ${asks.rule.name} cannot be called here` } : { value: await asked }
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): RuleFailure {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof ValidatorUnavailable
    ? { message, reason: error.reason, circuit: error.circuit, fault: error.fault }
    : { message, reason: 'fault' }
}

import { type Ports, ValidatorUnavailable } from '@stickler/core'
import { errorMessage } from '@stickler/core/internal'
import { ParserUnavailable } from '@stickler/core/validators'
import { PendingReplies } from '@stickler/node/internal/replies'
import type { FromThread, PortAnswer, PortCall } from './messages.ts'

/** The ports of the process for external rules. */
export type RulePorts = Pick<Ports, 'remote' | 'command'>

/** The ports of the process that threads may call. */
type SharedPorts = Pick<Ports, 'parser'> & RulePorts

/** The ports of the process, called from a thread by messages. */
export class MessagePorts {
  readonly ports: Required<SharedPorts> = {
    parser: { parse: (language, source, signal) => this.#call({ port: 'parser', language, source }, signal) },
    remote: { ask: (rule, request, signal) => this.#call({ port: 'remote', rule, request }, signal) },
    command: { ask: (rule, request, signal) => this.#call({ port: 'command', rule, request }, signal) },
  }
  readonly #tell: (message: FromThread) => void
  readonly #replies = new PendingReplies<PortAnswer>()

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell
  }

  /** Takes an answer; one that nobody waits for any more is ignored. */
  take(id: number, answer: PortAnswer): void {
    this.#replies.get(id)?.resolve(answer)
  }

  async #call<Value>(asks: PortCall, signal: AbortSignal | undefined): Promise<Value> {
    const unavailable = ({ message, reason, circuit, fault }: Exclude<PortAnswer, { value: unknown }>) =>
      asks.port === 'parser'
        ? new ParserUnavailable(message, reason ?? 'fault', circuit, fault)
        : new ValidatorUnavailable(message, reason, { circuit, fault })
    const gaveUp = (): Error => unavailable({ message: 'the check is over', reason: 'aborted' })
    const answer = await this.#replies.ask((call) => this.#tell({ call, asks }), signal, gaveUp)
    if ('value' in answer) return answer.value as Value
    throw unavailable(answer)
  }
}

/** Calls a port for a thread; failures are plain data, too. */
export async function answerCall(ports: SharedPorts, asks: PortCall, signal: AbortSignal, caller?: string): Promise<PortAnswer> {
  try {
    const value =
      asks.port === 'parser'
        ? ports.parser?.parse(asks.language, asks.source, signal, caller)
        : asks.port === 'remote'
          ? ports.remote?.ask(asks.rule, asks.request, signal, caller)
          : ports.command?.ask(asks.rule, asks.request, signal, caller)
    return value === undefined ? { message: `the port ${asks.port} cannot be called here` } : { value: await value }
  } catch (error) {
    const message = errorMessage(error)
    if (!(error instanceof ValidatorUnavailable)) return { message, reason: 'fault' }
    return { message, reason: error.reason, circuit: error.circuit, fault: error.fault }
  }
}

import { type Clock, type CommandRule, type RuleRequest, RunnerFailure, ValidatorUnavailable } from '@stickler/core'
import { callRule, RuleRefused, readLine, writeRequest } from '@stickler/core/internal'
import { asRunnerFailure, openCancelScope } from '@stickler/core/runners'
import { type Breaker, createBreaker, type RuleListener, ServiceUnavailable } from '@stickler/core/services'
import type { Environment } from '@stickler/core/types'
import { ProcessPool } from '../workers/process-pool.ts'
import { usualEnvironment } from '../workers/usual-environment.ts'
import { RuleProcess } from './rule-process.ts'

/** What the processes of one program need. */
export interface CommandPoolPorts {
  readonly cwd: string | undefined
  readonly env: Environment
  readonly clock: Clock
  readonly queue: number
  readonly tell: RuleListener
}

/** The processes of one program: started when they are needed, used again, replaced when they fail. */
export class CommandPool {
  readonly breaker: Breaker
  readonly #rule: CommandRule
  readonly #with: CommandPoolPorts
  readonly #places: ProcessPool
  readonly #idle: RuleProcess[] = []
  readonly #living = new Set<RuleProcess>()
  #requests = 0
  #isRetired = false
  #isClosed = false

  constructor(rule: CommandRule, ports: CommandPoolPorts) {
    const { name, processes } = rule
    const { clock, queue, tell } = ports
    this.#rule = rule
    this.#with = ports
    this.breaker = createBreaker({}, { clock, onChange: (state, scope) => tell({ type: 'circuit', rule: name, state, scope }) })
    this.#places = new ProcessPool(processes, queue, () => new RuleRefused(`${queue} answers wait for the rule ${name} already`))
  }

  /** Asks the program about an answer; rejects with ValidatorUnavailable when there is no reply. */
  async ask(request: RuleRequest, signal: AbortSignal = new AbortController().signal, caller?: string): Promise<unknown> {
    const { clock } = this.#with
    const { name } = this.#rule
    const id = String(++this.#requests)
    const line = writeRequest(id, request)
    this.#throwUnlessUsable(caller)
    const scope = openCancelScope(signal, clock)
    const leave = await this.#places.enter(scope, caller ?? '').catch((thrown: unknown) => {
      throw signal.aborted ? signal.reason : thrown
    })
    scope.release()
    try {
      // It may have failed for earlier requests.
      this.#throwUnlessUsable(caller)
    } catch (thrown) {
      leave()
      throw thrown
    }
    // A caller that leaves does not end the process, which would have to be started again: it may finish until its own deadline.
    const exchange = this.#exchange(line, id, leave)
    exchange.catch(() => {})
    return callRule(() => exchange, { breaker: this.breaker, name, timeoutMs: safetyNet, signal, clock, caller })
  }

  /** Ends processes as soon as they have nothing to do: another configuration has taken over. */
  retire(): void {
    this.#isRetired = true
    for (const child of this.#idle.splice(0)) void this.#end(child)
  }

  /** Ends all processes; pending requests are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#idle.length = 0
    await Promise.all([...this.#living].map((child) => this.#end(child)))
  }

  #throwUnlessUsable(caller: string | undefined): void {
    const { name } = this.#rule
    if (this.#isClosed) throw new ValidatorUnavailable(`the rule ${name} is shut down`, 'aborted')
    if (this.breaker.stateFor(caller) !== 'open') return
    throw new ValidatorUnavailable(`the rule ${name} failed too often and is not called for a while`, 'open', { circuit: 'open' })
  }

  async #exchange(line: string, id: string, leave: () => void): Promise<unknown> {
    const { name, timeoutMs, startMs } = this.#rule
    let child: RuleProcess | undefined
    try {
      child = this.#take()
      const limit = child.isWarm ? timeoutMs : timeoutMs + startMs
      const late = new ServiceUnavailable(`the rule ${name} did not answer within ${limit} ms`, 'timeout')
      const reply = await this.#within(child, child.ask(line), limit, late)
      return readLine(reply, id)
    } catch (thrown) {
      child?.end(asRunnerFailure(thrown))
      throw thrown
    } finally {
      if (child === undefined) leave()
      else void this.#free(child).finally(leave)
    }
  }

  async #within(child: RuleProcess, reply: Promise<string>, ms: number, late: ServiceUnavailable): Promise<string> {
    let isLate = false
    const cancel = this.#with.clock.after(ms, () => {
      isLate = true
      child.end(new RunnerFailure('timeout', late.message))
    })
    try {
      return await reply
    } catch (thrown) {
      throw isLate ? late : thrown
    } finally {
      cancel()
    }
  }

  #take(): RuleProcess {
    for (let child = this.#idle.pop(); child !== undefined; child = this.#idle.pop()) {
      if (child.over === undefined) return child
      void this.#end(child)
    }
    const { run, env: names } = this.#rule
    const { cwd, env, clock } = this.#with
    const child = new RuleProcess({ run, cwd, env: usualEnvironment(env, { pass: names }), clock })
    this.#living.add(child)
    return child
  }

  /** Keeps a process for the next answer, or ends it. */
  async #free(child: RuleProcess): Promise<void> {
    // Output after its answer arrives together with it, or a moment later.
    await Promise.resolve()
    if (child.over === undefined && !this.#isRetired && !this.#isClosed) this.#idle.push(child)
    else await this.#end(child)
  }

  async #end(child: RuleProcess): Promise<void> {
    const isUnexpected = child.over !== undefined
    child.end(new RunnerFailure('aborted', 'it is shut down'))
    await child.terminate()
    if (!this.#living.delete(child) || !isUnexpected) return
    const { message: reason = '', details } = child.over ?? {}
    const exitCode = details?.exitCode
    this.#with.tell({
      type: 'process',
      rule: this.#rule.name,
      reason,
      stderr: child.stderr,
      ...(exitCode === undefined ? {} : { exitCode }),
    })
  }
}

/** A process has its own deadline, which is always earlier. */
const safetyNet = 2 ** 31 - 1

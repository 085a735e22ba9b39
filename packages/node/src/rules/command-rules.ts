import { type Clock, type Environment, type RulePort, type RuleRequest, RunnerFailure, ValidatorUnavailable } from '@stickler/core'
import { asRunnerFailure, type CommandRule, notify, systemClock } from '@stickler/core/internal'
import { callRule, RuleRefused, readLine, writeRequest } from '@stickler/core/internal/services'
import { type Breaker, type BreakerState, createBreaker, type RuleListener, ServiceUnavailable } from '@stickler/core/validators'
import { findCommand } from '../workers/find-command.ts'
import { usualEnvironment } from '../workers/usual-environment.ts'
import { type Lease, WorkerPool } from '../workers/worker-pool.ts'
import { RuleProcess } from './rule-process.ts'

/** What asking programs needs. */
export interface CommandRulesSettings {
  /** The environment that programs get their part of, such as `process.env`. */
  readonly env: Environment
  /** The folder that programs run in; the current one when absent. */
  readonly folder?: string
  /** Most answers that wait for the processes of one rule; 1000. */
  readonly queue?: number
  readonly clock?: Clock
  /** Called when a process fails, with its error stream, and when the circuit to a rule opens or closes. */
  readonly onEvent?: RuleListener
}

/** Asks programs that judge answers. */
export interface CommandRules extends RulePort<CommandRule> {
  /** Whether calls get through to a program. */
  state(rule: CommandRule): BreakerState
  /** Throws when the program of a rule is not there; nothing is started. */
  probe(rule: CommandRule): void
  /** Ends processes as soon as they have nothing to do. */
  retire(): void
  /** Ends all processes. */
  close(): Promise<void>
}

/** Asks programs by one line of JSON each: in a pool of processes for each rule, which are ended with all that they started when they take too long. */
export function commandRules({ env, folder: cwd, queue = 1000, clock = systemClock, onEvent }: CommandRulesSettings): CommandRules {
  const pools = new Map<string, CommandPool>()
  const tell: RuleListener = (event) => notify(onEvent, event)
  const ports = { cwd, env, clock, queue, tell }

  function poolOf(rule: CommandRule): CommandPool {
    // A rule that comes from another thread is a copy.
    const key = JSON.stringify(rule)
    const pool = pools.get(key) ?? new CommandPool(rule, ports)
    pools.set(key, pool)
    return pool
  }

  return {
    ask: (rule, request, signal, caller) => poolOf(rule).ask(request, signal, caller),
    state: (rule) => poolOf(rule).breaker.state,
    probe({ run: [program], env: names }) {
      findCommand(program, { cwd, env: usualEnvironment(env, { pass: names }) })
    },
    retire() {
      for (const pool of pools.values()) pool.retire()
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()))
    },
  }
}

/** What the processes of one program need. */
interface CommandPoolPorts {
  readonly cwd: string | undefined
  readonly env: Environment
  readonly clock: Clock
  readonly queue: number
  readonly tell: RuleListener
}

/** The processes of one program: started when they are needed, used again, replaced when they fail. */
class CommandPool {
  readonly breaker: Breaker
  readonly #rule: CommandRule
  readonly #with: CommandPoolPorts
  readonly #pool: WorkerPool<RuleProcess>
  #requests = 0
  #isClosed = false

  constructor(rule: CommandRule, ports: CommandPoolPorts) {
    const { name, processes: workers } = rule
    const { clock, queue, tell } = ports
    this.#rule = rule
    this.#with = ports
    this.breaker = createBreaker({}, { clock, onChange: (state, scope) => tell({ type: 'circuit', rule: name, state, scope }) })
    this.#pool = new WorkerPool({
      workers,
      queue,
      start: () => this.#start(),
      full: () => new RuleRefused(`${queue} answers wait for the rule ${name} already`),
      closed: () => new ValidatorUnavailable(`the rule ${name} is shut down`, 'aborted'),
    })
  }

  /** Asks the program about an answer; rejects with ValidatorUnavailable when there is no reply. */
  async ask(request: RuleRequest, signal: AbortSignal = new AbortController().signal, caller?: string): Promise<unknown> {
    const { clock } = this.#with
    const { name } = this.#rule
    const id = String(++this.#requests)
    const line = writeRequest(id, request)
    this.#throwIfOpen(caller)
    // A program that cannot be started is a failure of the rule, unlike a full queue.
    const entered = await this.#pool.enter({ caller, stop: signal }).catch((thrown: unknown) => {
      if (signal.aborted || !(thrown instanceof RunnerFailure)) throw thrown
      return thrown
    })
    try {
      // It may have failed for earlier requests.
      this.#throwIfOpen(caller)
    } catch (thrown) {
      if (!(entered instanceof RunnerFailure)) entered.leave()
      throw thrown
    }
    // A caller that leaves does not end the process, which would have to be started again: it may finish until its own deadline.
    const exchange = entered instanceof RunnerFailure ? Promise.reject(entered) : this.#exchange(entered, line, id)
    exchange.catch(() => {})
    return callRule(() => exchange, { breaker: this.breaker, name, timeoutMs: safetyNet, signal, clock, caller })
  }

  /** Ends processes as soon as they have nothing to do: another configuration has taken over. */
  retire(): void {
    this.#pool.retire()
  }

  /** Ends all processes; pending requests are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.close()
  }

  #throwIfOpen(caller: string | undefined, state = this.breaker.stateFor(caller)): void {
    if (state !== 'open' || this.#isClosed) return
    const { name } = this.#rule
    throw new ValidatorUnavailable(`the rule ${name} failed too often and is not called for a while`, 'open', { circuit: 'open' })
  }

  async #exchange({ worker, leave }: Lease<RuleProcess>, line: string, id: string): Promise<unknown> {
    const { name, timeoutMs, startMs } = this.#rule
    const limit = worker.isWarm ? timeoutMs : timeoutMs + startMs
    const late = new RunnerFailure('timeout', `the rule ${name} did not answer within ${limit} ms`)
    try {
      return readLine(await worker.answer(line, limit, late), id)
    } catch (thrown) {
      void worker.end(asRunnerFailure(thrown))
      throw thrown === late ? new ServiceUnavailable(late.message, 'timeout') : thrown
    } finally {
      // Output after its answer arrives together with it, or a moment later.
      queueMicrotask(leave)
    }
  }

  #start(): RuleProcess {
    const { name, run, env: names } = this.#rule
    const { cwd, env, clock, tell } = this.#with
    // No process is started for waiting calls after the circuit has opened for everybody.
    this.#throwIfOpen(undefined, this.breaker.state)
    const child = new RuleProcess({ run, cwd, env: usualEnvironment(env, { pass: names }), clock })
    void child.ended.then(() => {
      // Only what the pool has not ended itself is reported.
      if (!(child.over instanceof RunnerFailure)) return
      const { message: reason, details } = child.over
      const { exitCode } = details
      tell({ type: 'process', rule: name, reason, stderr: child.stderr, ...(exitCode === undefined ? {} : { exitCode }) })
    })
    return child
  }
}

/** A process has its own deadline, which is always earlier. */
const safetyNet = 2 ** 31 - 1

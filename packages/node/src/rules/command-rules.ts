import type { Clock, Environment, RulePort } from '@stickler/core'
import { type CommandRule, systemClock } from '@stickler/core/internal'
import { harmless } from '@stickler/core/internal/services'
import type { BreakerState, RuleListener } from '@stickler/core/validators'
import { findCommand } from '../workers/find-command.ts'
import { usualEnvironment } from '../workers/usual-environment.ts'
import { CommandPool } from './command-pool.ts'

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
  const ports = { cwd, env, clock, queue, tell: harmless(onEvent) }

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

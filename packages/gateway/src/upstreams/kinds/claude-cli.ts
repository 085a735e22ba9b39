import { secretsIn } from '@stickler/node/internal/config'
import * as z from 'zod'
import { defined } from '../settings/defined.ts'
import { environmentName } from '../settings/scalars.ts'
import type { ClaudeCliUpstreamConfig } from '../settings/upstream-config.ts'
import { sharedKeys } from '../settings/written-upstream.ts'
import type { ClaudeCliUpstreamSettings } from './claude-cli-upstream.ts'
import { defineKind, type Resilience } from './upstream-kind.ts'

const { name, model, provider, capabilities, price, answerLimit, total } = sharedKeys

const schema = z.strictObject({
  name,
  kind: z.literal('claude-cli').describe('claude-cli: the Claude command line.'),
  command: z.string().min(1).optional().describe('The command or its path; `claude`.'),
  args: z.array(z.string()).optional().describe('Additional arguments.'),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe('Working directory of the command, relative to this file; by default the `root` of the route.'),
  env: z
    .array(environmentName)
    .max(100)
    .optional()
    .describe('Environment variables that the command gets besides the usual ones, ANTHROPIC_* and CLAUDE_*.'),
  processes: z.int().min(1).max(256).default(8).describe('Maximum concurrent processes per worker.'),
  queue: z.int().min(0).max(10_000).default(100).describe('Maximum calls waiting for a process; more are rejected with 503.'),
  answerLimit,
  model,
  provider,
  capabilities,
  price,
  timeouts: z.strictObject({ total }).optional(),
})

/** The headless Claude command line. */
export const claudeCliKind = defineKind<z.output<typeof schema>, ClaudeCliUpstreamConfig, ClaudeCliUpstreamSettings & Resilience>({
  name: 'claude-cli',
  schema,
  provider: 'anthropic',
  traits: { keepsSessions: true, readsOnlyText: true },
  advice: 'install the command, or set its path as `command`',
  async resolve({ command = 'claude', args = [], cwd, env: pass = [], processes, queue, answerLimit, timeouts }, { env, withhold }) {
    const { claudeCliEnvironment } = await import('@stickler/node/claude')
    const open = {
      command,
      args,
      processes,
      queue,
      answerLimit,
      timeouts: defined({ totalMs: timeouts?.total }),
      ...defined({ cwd }),
    }
    return { open, secrets: { environment: claudeCliEnvironment(env, { pass, withhold }) } }
  },
  secrets: ({ environment }) => secretsIn(environment),
  shown: ({ kind }) => kind,
  settings(config) {
    const { kind, name, model, processes: maxProcesses, queue: maxQueue } = config
    return { kind, name, maxProcesses, maxQueue, ...commandOf(config), ...defined({ model, cwd: config.cwd }) }
  },
  async load() {
    const [{ claudeCli }, { claudeCliUpstream }] = await Promise.all([import('@stickler/node/claude'), import('./claude-cli-upstream.ts')])
    return {
      create: claudeCliUpstream,
      runner(config, { model = config.model, folder }) {
        const command = commandOf(config)
        const args = model === undefined ? command.args : [...command.args, '--model', model]
        return claudeCli({ ...command, args, cwd: config.cwd ?? folder })
      },
    }
  },
})

function commandOf({ command, args, environment: env, answerLimit, timeouts: { totalMs: timeoutMs } }: ClaudeCliUpstreamConfig) {
  return { command, args, env, maxLineBytes: answerLimit, maxOutputBytes: 4 * answerLimit, ...defined({ timeoutMs }) }
}

import { defined, environmentName } from '@stickler/core/internal'
import { secretsIn } from '@stickler/node/internal/config'
import * as z from 'zod'
import { sharedKeys } from '../settings/written-upstream.ts'
import type { ClaudeCliUpstreamSettings } from './claude-cli-upstream.ts'
import { defineKind, type Resilience } from './upstream-kind.ts'

const { name, model, provider, capabilities, price, answerLimit, total } = sharedKeys

const schema = z.strictObject({
  name,
  kind: z.literal('claude-cli').describe('claude-cli: the Claude command line.'),
  command: z.string().min(1).exactOptional().describe('The command or its path; `claude`.'),
  args: z.array(z.string()).exactOptional().describe('Additional arguments.'),
  cwd: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Working directory of the command, relative to this file; by default the `root` of the route.'),
  env: z
    .array(environmentName)
    .max(100)
    .exactOptional()
    .describe('Environment variables that the command gets besides the usual ones, ANTHROPIC_* and CLAUDE_*.'),
  processes: z.int().min(1).max(256).default(8).describe('Maximum concurrent processes per worker.'),
  queue: z.int().min(0).max(10_000).default(100).describe('Maximum calls waiting for a process; more are rejected with 503.'),
  answerLimit,
  model,
  provider,
  capabilities,
  price,
  timeouts: z.strictObject({ total }).exactOptional(),
})

/** The headless Claude command line. */
export const claudeCliKind = defineKind<z.output<typeof schema>, ClaudeCliUpstreamSettings & Resilience>({
  name: 'claude-cli',
  schema,
  provider: 'anthropic',
  traits: { keepsSessions: true, readsOnlyText: true },
  advice: 'install the command, or set its path as `command`',
  async read(written, { name, kind, model }, { env: around, withhold }) {
    const { command = 'claude', args = [], cwd, env: pass = [], processes: maxProcesses, queue: maxQueue, answerLimit, timeouts } = written
    const { claudeCliEnvironment } = await import('@stickler/node/claude')
    const env = claudeCliEnvironment(around, { pass, withhold })
    const limits = { maxProcesses, maxQueue, maxLineBytes: answerLimit, maxOutputBytes: 4 * answerLimit }
    return {
      settings: { kind, name, command, args, env, ...limits, ...defined({ timeoutMs: timeouts?.total, model, cwd }) },
      secrets: secretsIn(env),
    }
  },
  async load() {
    const [{ claudeCli }, { claudeCliUpstream }] = await Promise.all([import('@stickler/node/claude'), import('./claude-cli-upstream.ts')])
    return {
      create: claudeCliUpstream,
      runner({ args = [], ...settings }, { model = settings.model, folder }) {
        const all = model === undefined ? args : [...args, '--model', model]
        return claudeCli({ ...settings, args: all, cwd: settings.cwd ?? folder })
      },
    }
  },
})

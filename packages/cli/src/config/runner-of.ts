import { resolve } from 'node:path'
import { extractiveRunner } from '@stickler/ask'
import { claudeCli } from '@stickler/claude'
import { ConfigurationError, openai, type Runner, withTransportRetries } from '@stickler/core'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import {
  finishReasonsOf,
  type HttpUpstreamConfig,
  resolveUpstream,
  type ScriptedUpstreamConfig,
  type WrittenUpstream,
} from '@stickler/gateway'
import type { Io } from '../io.ts'

/** What is said about an upstream beside its configuration. */
export interface RunnerChoices {
  /** Takes the place of the configured model. */
  readonly model?: string | undefined
  /** Where a command works unless its upstream names a folder; the current one when absent. */
  readonly root?: string | undefined
  /** Environment variables that a command does not get unless its `env` names them. */
  readonly withhold?: readonly string[]
}

/** Makes the runner of an upstream; secrets come from the environment. */
export function runnerOf(
  written: WrittenUpstream,
  io: Pick<Io, 'env' | 'cwd'>,
  { model, root = '.', withhold = [] }: RunnerChoices = {},
): Runner {
  needVariables(written, io.env)
  const upstream = resolveUpstream(written, io.env, withhold)
  const chosen = model ?? upstream.model
  switch (upstream.kind) {
    case 'openai':
      return withTransportRetries(openai(openaiSettings(upstream, chosen)), { retries: upstream.retries })
    case 'anthropic':
      throw wrong('kind', 'only `stickler serve` speaks to anthropic upstreams; `stickler run` takes openai, claude-cli and scripted')
    case 'claude-cli': {
      const { command, args, cwd = resolve(io.cwd, root), timeouts, environment: env, answerLimit } = upstream
      const all = chosen === undefined ? args : [...args, '--model', chosen]
      const limit = timeouts.totalMs === undefined ? {} : { timeoutMs: timeouts.totalMs }
      return claudeCli({ command, args: all, cwd, env, maxLineBytes: answerLimit, maxOutputBytes: 4 * answerLimit, ...limit })
    }
    case 'scripted':
      return scripted(upstream.answers.map(turnOf))
    case 'extractive':
      return extractiveRunner()
  }
}

function needVariables(written: WrittenUpstream, env: Io['env']): void {
  const missing = (name: string): string => `the environment variable ${name} is not set`
  if ('apiKeyEnv' in written && written.apiKeyEnv !== undefined && !env[written.apiKeyEnv]) {
    throw wrong('apiKeyEnv', missing(written.apiKeyEnv))
  }
  const headers = 'headersEnv' in written ? Object.entries(written.headersEnv ?? {}) : []
  for (const [header, name] of headers) if (!env[name]) throw wrong(['headersEnv', header], missing(name))
  for (const name of 'env' in written ? (written.env ?? []) : []) if (!env[name]) throw wrong('env', missing(name))
}

function openaiSettings(upstream: HttpUpstreamConfig, model: string | undefined) {
  const { baseUrl, apiKey, headers, timeouts, price, answerLimit } = upstream
  if (model === undefined) throw wrong('model', 'is missing; write it here or pass --model')
  const finishReasons = finishReasonsOf(upstream)
  return {
    baseUrl,
    model,
    headers,
    timeouts,
    // With the frames of a stream, which the runner counts too.
    maxResponseBytes: 4 * answerLimit,
    finishReasons,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(price === undefined ? {} : { price }),
  }
}

function wrong(path: string | readonly string[], message: string): ConfigurationError {
  return new ConfigurationError([{ path: [path].flat(), message }])
}

function turnOf({ failure, status: _status, ...turn }: ScriptedUpstreamConfig['answers'][number]): ScriptedTurn {
  return failure === undefined ? turn : { failure }
}

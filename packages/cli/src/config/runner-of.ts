import { ConfigurationError, openai, type Runner, withTransportRetries } from '@stickler/core'
import { claudeCli } from '@stickler/core/node'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import type { Io } from '../io.ts'
import type { Upstream } from './upstreams.ts'

type Kind<K extends Upstream['kind']> = Extract<Upstream, { kind: K }>

/** Makes the runner of an upstream; secrets come from the environment, and `model` takes the place of the configured one. */
export function runnerOf(upstream: Upstream, io: Pick<Io, 'env' | 'cwd'>, model?: string): Runner {
  switch (upstream.kind) {
    case 'openai':
      return withTransportRetries(openai(openaiSettings(upstream, io, model)))
    case 'claude-cli':
      return claudeCliRunner(upstream, io, model)
    case 'scripted':
      return scripted(upstream.answers.map(turnOf))
  }
}

function openaiSettings(
  { baseUrl, apiKeyEnv, model: configured, timeouts = {} }: Kind<'openai'>,
  { env }: Pick<Io, 'env'>,
  chosen = configured,
) {
  if (chosen === undefined) throw new ConfigurationError([{ path: ['model'], message: 'is missing; write it here or pass --model' }])
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]
  if (apiKeyEnv !== undefined && !apiKey)
    throw new ConfigurationError([{ path: ['apiKeyEnv'], message: `the environment variable ${apiKeyEnv} is not set` }])
  const { firstByte, idle, total } = timeouts
  return {
    baseUrl,
    model: chosen,
    ...(apiKey === undefined ? {} : { apiKey }),
    timeouts: {
      ...(firstByte === undefined ? {} : { firstByteMs: firstByte * 1000 }),
      ...(idle === undefined ? {} : { idleMs: idle * 1000 }),
      ...(total === undefined ? {} : { totalMs: total * 1000 }),
    },
  }
}

function claudeCliRunner(
  { command, args = [], model: configured, timeouts }: Kind<'claude-cli'>,
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  chosen = configured,
): Runner {
  return claudeCli({
    ...(command === undefined ? {} : { command }),
    args: chosen === undefined ? args : [...args, '--model', chosen],
    cwd,
    env,
    ...(timeouts?.total === undefined ? {} : { timeoutMs: timeouts.total * 1000 }),
  })
}

function turnOf(answer: Kind<'scripted'>['answers'][number]): string | ScriptedTurn {
  if (typeof answer === 'string') return answer
  if ('failure' in answer) {
    const { kind, message, status } = answer.failure
    return { failure: { kind, ...(message === undefined ? {} : { message }), ...(status === undefined ? {} : { status }) } }
  }
  const { text, chunkSize, delayMs, finishReason } = answer
  return {
    text,
    ...(chunkSize === undefined ? {} : { chunkSize }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(finishReason === undefined ? {} : { finishReason }),
  }
}

import { claudeCliEnvironment } from '@stickler/claude'
import type { Price } from '@stickler/core/runners'
import { shownUrl } from '../../upstreams/settings/base-url.ts'
import { defined } from '../../upstreams/settings/defined.ts'
import type { Environment } from '../../upstreams/settings/environment.ts'
import { fromEnvironment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hide-secrets.ts'
import type { WrittenUpstream } from '../schema/upstream-schema.ts'
import type { ClaudeCliUpstreamConfig, HttpUpstreamConfig, ScriptedAnswerConfig, UpstreamCommon, UpstreamConfig } from './gateway-config.ts'

type OverHttp = Extract<WrittenUpstream, { kind: 'openai' | 'anthropic' }>

/** Names of providers where none is written. */
const usualProviders: Readonly<Record<WrittenUpstream['kind'], string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'claude-cli': 'anthropic',
  scripted: 'scripted',
  extractive: 'extractive',
}

/** Fills in everything that is left out of an upstream, its secrets from the environment included; a command does not get what is withheld. */
export function resolveUpstream(written: WrittenUpstream, env: Environment, withhold: readonly string[] = []): UpstreamConfig {
  const common = commonOf(written)
  switch (written.kind) {
    case 'openai':
    case 'anthropic':
      return overHttp(written, common, env)
    case 'claude-cli':
      return ofCommand(written, common, claudeCliEnvironment(env, { pass: written.env ?? [], withhold }))
    case 'scripted':
      return { ...common, kind: written.kind, answers: written.answers.map(resolveAnswer) }
    case 'extractive':
      return { ...common, kind: written.kind }
  }
}

function ofCommand(
  { kind, command = 'claude', args = [], cwd, processes, queue, answerLimit, timeouts }: Extract<WrittenUpstream, { kind: 'claude-cli' }>,
  common: UpstreamCommon,
  environment: Readonly<Record<string, string>>,
): ClaudeCliUpstreamConfig {
  const open = {
    ...common,
    kind,
    command,
    args,
    processes,
    queue,
    answerLimit,
    timeouts: defined({ totalMs: inMs(timeouts?.total) }),
    ...defined({ cwd }),
  }
  return withSecrets(open, { environment })
}

type WrittenAnswer = Extract<WrittenUpstream, { kind: 'scripted' }>['answers'][number]

function resolveAnswer(answer: WrittenAnswer): ScriptedAnswerConfig {
  if (typeof answer === 'string') return { text: answer }
  if (!('failure' in answer)) return defined(answer)
  return { failure: defined(answer.failure), status: answer.failure.status ?? 503 }
}

function commonOf(written: WrittenUpstream): UpstreamCommon {
  const { name, kind, provider = usualProviders[kind], capabilities = {} } = written
  const price = 'price' in written ? written.price : undefined
  return {
    name,
    provider,
    providerName: written.provider ?? name,
    capabilities: defined(capabilities),
    ...(price === undefined ? {} : { price: inMillions(price) }),
    ...('models' in written && written.models !== undefined
      ? { models: new Map(Object.entries(written.models).map(([model, own]) => [model, inMillions(own)])) }
      : {}),
    ...('model' in written && written.model !== undefined ? { model: written.model } : {}),
  }
}

function inMillions({ prompt, completion }: { readonly prompt: number; readonly completion: number }): Price {
  return { promptPerMillion: prompt, completionPerMillion: completion }
}

function dialectOf({ apiKeyHeader, pathStyle, streamUsage, baseUrl, apis }: Extract<WrittenUpstream, { kind: 'openai' }>) {
  const isOpenAi = /^https:\/\/(?:[a-z]{2}\.)?api\.openai\.com(?:[/?]|$)/.test(baseUrl)
  const hasResponses = apis === undefined ? isOpenAi : apis.includes('responses')
  return { apiKeyHeader, pathStyle, streamUsage, apis: hasResponses ? (['responses'] as const) : undefined }
}

function overHttp(written: OverHttp, common: UpstreamCommon, env: Environment): HttpUpstreamConfig {
  const { kind, retries, answerLimit, headers = {}, headersEnv = {}, apiKeyEnv, timeouts = {} } = written
  const shown = shownUrl(written.baseUrl)
  const { firstByte, idle, total } = timeouts
  const fromVariables = Object.entries(headersEnv).map(([name, variable]) => [name, fromEnvironment(env, variable) ?? ''])
  return withSecrets(
    {
      ...common,
      kind,
      shown,
      retries,
      answerLimit,
      ...(written.kind === 'openai' ? defined(dialectOf(written)) : {}),
      timeouts: defined({ firstByteMs: inMs(firstByte), idleMs: inMs(idle), totalMs: inMs(total) }),
    },
    {
      // In its plain form, unless there is something to hide.
      baseUrl: shown.includes('?') ? written.baseUrl : shown,
      headers: { ...headers, ...Object.fromEntries(fromVariables) } as Readonly<Record<string, string>>,
      ...keyOf(apiKeyEnv, env),
    },
  )
}

function keyOf(apiKeyEnv: string | undefined, env: Environment): { readonly apiKey?: string } {
  const apiKey = apiKeyEnv === undefined ? undefined : fromEnvironment(env, apiKeyEnv)
  return apiKey === undefined ? {} : { apiKey }
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000
}

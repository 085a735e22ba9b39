import { isAnthropic } from '@stickler/core/internal'
import * as z from 'zod'
import { baseUrlSchema } from '../settings/base-url.ts'
import { httpAdvice, httpKeys, httpSecrets, httpSettings, resolveHttp } from '../settings/http-settings.ts'
import type { HttpUpstreamConfig } from '../settings/upstream-config.ts'
import { sharedKeys } from '../settings/written-upstream.ts'
import type { AnthropicUpstreamSettings } from './anthropic-upstream.ts'
import { defineKind, type Resilience } from './upstream-kind.ts'

const schema = z.strictObject({
  name: sharedKeys.name,
  kind: z.literal('anthropic').describe('anthropic: a provider with the Messages API of Anthropic.'),
  baseUrl: baseUrlSchema.default('https://api.anthropic.com/v1').describe('Everything before `/messages`.'),
  ...httpKeys,
})

/** Providers with Anthropic's Messages API. */
export const anthropicKind = defineKind<z.output<typeof schema>, HttpUpstreamConfig, AnthropicUpstreamSettings & Resilience>({
  name: 'anthropic',
  schema,
  provider: 'anthropic',
  traits: { isAnthropic: true, choosesModel: true },
  advice: httpAdvice,
  resolve: (written, { env }) => resolveHttp(written, env),
  secrets: httpSecrets,
  shown: ({ shown }) => shown,
  settings: (config) => {
    const { structuredOutput = isAnthropic(config.baseUrl) } = config.capabilities
    return { ...httpSettings(config), structuredOutput }
  },
  load: async () => ({ create: (await import('./anthropic-upstream.ts')).anthropicUpstream }),
})

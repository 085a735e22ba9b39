import { isAnthropic } from '@stickler/core/internal'
import * as z from 'zod'
import { baseUrlSchema } from '../settings/base-url.ts'
import { httpAdvice, httpKeys, readHttp } from '../settings/http-settings.ts'
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
export const anthropicKind = defineKind<z.output<typeof schema>, AnthropicUpstreamSettings & Resilience>({
  name: 'anthropic',
  schema,
  provider: 'anthropic',
  traits: { isAnthropic: true, choosesModel: true },
  advice: httpAdvice,
  read(written, shared, { env }) {
    const { settings, ...rest } = readHttp(written, shared, env)
    const { structuredOutput = isAnthropic(settings.baseUrl) } = shared.capabilities
    return { ...rest, settings: { ...settings, structuredOutput } }
  },
  load: async () => ({ create: (await import('./anthropic-upstream.ts')).anthropicUpstream }),
})

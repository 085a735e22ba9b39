import { defined, isOpenAi } from '@stickler/core/internal'
import * as z from 'zod'
import { baseUrlSchema } from '../settings/base-url.ts'
import { httpAdvice, httpKeys, readHttp } from '../settings/http-settings.ts'
import { sharedKeys } from '../settings/written-upstream.ts'
import type { OpenAiUpstreamSettings } from './openai-upstream.ts'
import { defineKind, type Resilience } from './upstream-kind.ts'

const schema = z.strictObject({
  name: sharedKeys.name,
  kind: z.literal('openai').describe('openai: a provider with an OpenAI-compatible API.'),
  baseUrl: baseUrlSchema.describe('Everything before `/chat/completions`; a query, such as that of Azure, is kept.'),
  apiKeyHeader: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header')
    .exactOptional()
    .describe('The header for the key, such as api-key for Azure; by default authorization: Bearer.'),
  pathStyle: z.enum(['openai', 'azure']).exactOptional().describe('azure puts the model into the address, as a deployment.'),
  apis: z
    .array(z.enum(['chat', 'responses']))
    .min(1)
    .refine((apis) => apis.includes('chat'), 'must include chat, which every provider of this kind supports')
    .exactOptional()
    .describe('The APIs that the provider supports; chat and responses for OpenAI itself, otherwise chat.'),
  streamUsage: z.boolean().exactOptional().describe('Whether the provider supports stream_options.include_usage; true by default.'),
  ...httpKeys,
})

/** Providers with OpenAI's chat completions API. */
export const openaiKind = defineKind<z.output<typeof schema>, OpenAiUpstreamSettings & Resilience>({
  name: 'openai',
  schema,
  provider: 'openai',
  traits: { countsChoices: true, choosesModel: true },
  advice: httpAdvice,
  read({ apiKeyHeader, pathStyle, streamUsage, apis, ...written }, shared, { env }) {
    const { settings, ...rest } = readHttp(written, shared, env)
    const isTheirs = isOpenAi(settings.baseUrl)
    const further = (apis === undefined ? isTheirs : apis.includes('responses')) ? (['responses'] as const) : undefined
    // Ollama turns a schema into its own `format`.
    const { structuredOutput = isTheirs || shared.provider.toLowerCase() === 'ollama' } = shared.capabilities
    return { ...rest, settings: { ...settings, ...defined({ apiKeyHeader, pathStyle, streamUsage, apis: further, structuredOutput }) } }
  },
  load: async () => ({ create: (await import('./openai-upstream.ts')).openaiUpstream }),
})

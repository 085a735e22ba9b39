import * as z from 'zod'
import { baseUrlSchema } from '../../upstreams/settings/base-url.ts'
import { headersEnvSchema, headersSchema } from '../../upstreams/settings/headers-schema.ts'
import { environmentName, nameSchema, secondsSchema } from '../../upstreams/settings/scalars.ts'

const name = nameSchema.describe('Name for routes and for `--upstream`.')
const model = z.string().min(1).optional().describe('The model, where neither a route nor `--model` names one.')
const total = secondsSchema.optional().describe('Seconds for the whole answer.')
const tokenPrice = z.strictObject({
  prompt: z.number().nonnegative().describe('Dollars for a million tokens of the prompt.'),
  completion: z.number().nonnegative().describe('Dollars for a million tokens of the answer.'),
})
const price = tokenPrice.optional().describe('What tokens cost; without, no cost is reckoned.')
const models = z
  .record(z.string().min(1).max(200), tokenPrice)
  .optional()
  .describe('Further models, each with its price; questions may name these and `model`.')
const capabilities = z
  .strictObject({
    citations: z.boolean().optional().describe('Cites reliably with [^N] markers.'),
    seed: z.boolean().optional(),
    temperature: z.boolean().optional(),
    streaming: z.boolean().optional(),
    finishReason: z
      .boolean()
      .optional()
      .describe('Sends a finish reason with every answer: one without is then unchecked, otherwise it has a warning.'),
  })
  .optional()
  .describe('What the provider can do, where it differs from what is known of it.')
const answerLimit = z
  .int()
  .min(1024)
  .max(1024 ** 3)
  .default(16 * 1024 * 1024)
  .describe('Most bytes of an answer: its text, calls and other fields, without the frames of a stream.')
const provider = z.string().min(1).max(100).optional().describe('Name of the provider, such as ollama; what it can do is known by it.')

const overHttp = {
  apiKeyEnv: environmentName.optional().describe('The environment variable that holds the key.'),
  model,
  models,
  provider,
  capabilities,
  price,
  answerLimit,
  retries: z.int().min(0).max(10).default(2).describe('How often a call that failed on the way is repeated.'),
  headers: headersSchema.optional().describe('Further headers; none that hold secrets.'),
  headersEnv: headersEnvSchema.optional().describe('Further headers, each with the environment variable that holds its value.'),
  timeouts: z
    .strictObject({
      firstByte: secondsSchema.optional().describe('Seconds until the answer begins.'),
      idle: secondsSchema.optional().describe('Seconds between two pieces of the answer.'),
      total,
    })
    .optional(),
}

const openaiSchema = z.strictObject({
  name,
  kind: z.literal('openai'),
  baseUrl: baseUrlSchema.describe('Everything before `/chat/completions`; a query, such as that of Azure, is kept.'),
  apiKeyHeader: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header')
    .optional()
    .describe('The header that takes the key as it is, such as api-key for Azure; authorization: Bearer when absent.'),
  pathStyle: z.enum(['openai', 'azure']).optional().describe('azure puts the model into the address, as a deployment.'),
  apis: z
    .array(z.enum(['chat', 'responses']))
    .min(1)
    .refine((apis) => apis.includes('chat'), 'must hold chat, which every provider of this kind speaks')
    .optional()
    .describe('The APIs that the provider speaks; chat and responses for OpenAI itself, otherwise chat.'),
  streamUsage: z.boolean().optional().describe('Whether the provider understands stream_options.include_usage; yes when absent.'),
  ...overHttp,
})

const anthropicSchema = z.strictObject({
  name,
  kind: z.literal('anthropic'),
  baseUrl: baseUrlSchema.default('https://api.anthropic.com/v1').describe('Everything before `/messages`.'),
  ...overHttp,
})

const claudeCliSchema = z.strictObject({
  name,
  kind: z.literal('claude-cli'),
  command: z.string().min(1).optional().describe('The command or its path; `claude`.'),
  args: z.array(z.string()).optional(),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe('Folder that the command works in, relative to this file; the `root` of the route when absent.'),
  env: z
    .array(environmentName)
    .max(100)
    .optional()
    .describe('Environment variables that the command gets besides the usual ones, ANTHROPIC_* and CLAUDE_*.'),
  processes: z.int().min(1).max(256).default(8).describe('Most processes at a time, for each worker.'),
  queue: z.int().min(0).max(10_000).default(100).describe('Most calls that wait for a process; more are answered with 503.'),
  answerLimit,
  model,
  provider,
  capabilities,
  price,
  timeouts: z.strictObject({ total }).optional(),
})

const failureKinds = ['timeout', 'connection', 'http', 'protocol', 'exit', 'empty', 'crash'] as const

const turnSchema = z.strictObject({
  text: z.string(),
  chunkSize: z.int().positive().optional().describe('Cuts the text into pieces of so many characters.'),
  delayMs: z.int().nonnegative().max(60_000).optional().describe('Milliseconds before each piece.'),
  finishReason: z.string().optional(),
})

const faultSchema = z.strictObject({
  failure: z.strictObject({ kind: z.enum(failureKinds), message: z.string().optional(), status: z.int().optional() }),
})

const scriptedSchema = z.strictObject({
  name,
  kind: z.literal('scripted'),
  answers: z
    .array(z.union([z.string(), turnSchema, faultSchema]))
    .describe('What the model says, call by call; the gateway begins anew at the end.'),
  provider,
  capabilities,
  price,
})

const extractiveSchema = z.strictObject({
  name,
  kind: z.literal('extractive'),
  provider,
  capabilities,
})

/** Models that can be asked, by kind. */
export const upstreamSchema = z.discriminatedUnion('kind', [
  openaiSchema,
  anthropicSchema,
  claudeCliSchema,
  scriptedSchema,
  extractiveSchema,
])

/** A model that can be asked, as it is written. */
export type WrittenUpstream = z.output<typeof upstreamSchema>

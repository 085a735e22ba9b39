import * as z from 'zod'

const name = z.string().trim().min(1).describe('Name for `--upstream`.')
const seconds = z.number().positive()
const total = seconds.optional().describe('Seconds for the whole answer.')

const openaiSchema = z.strictObject({
  name,
  kind: z.literal('openai'),
  baseUrl: z.string().describe('Everything before `/chat/completions`.'),
  apiKeyEnv: z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]*$/,
      'give the name of an environment variable, such as OPENAI_API_KEY; the key itself must not stand in a file',
    )
    .optional()
    .describe('The environment variable that holds the key.'),
  model: z.string().min(1).optional(),
  timeouts: z
    .strictObject({
      firstByte: seconds.optional().describe('Seconds until the answer begins.'),
      idle: seconds.optional().describe('Seconds between two pieces of the answer.'),
      total,
    })
    .optional(),
})

const claudeCliSchema = z.strictObject({
  name,
  kind: z.literal('claude-cli'),
  command: z.string().min(1).optional().describe('The command or its path; `claude`.'),
  args: z.array(z.string()).optional(),
  model: z.string().min(1).optional(),
  timeouts: z.strictObject({ total }).optional(),
})

const failureKinds = ['timeout', 'connection', 'http', 'protocol', 'exit', 'empty', 'crash'] as const

const turnSchema = z.strictObject({
  text: z.string(),
  chunkSize: z.int().positive().optional().describe('Cuts the text into pieces of so many characters.'),
  delayMs: z.int().nonnegative().optional().describe('Milliseconds before each piece.'),
  finishReason: z.string().optional(),
})

const faultSchema = z.strictObject({
  failure: z.strictObject({ kind: z.enum(failureKinds), message: z.string().optional(), status: z.int().optional() }),
})

const scriptedSchema = z.strictObject({
  name,
  kind: z.literal('scripted'),
  answers: z.array(z.union([z.string(), turnSchema, faultSchema])).describe('What the model says, call by call.'),
})

/** Models that can be asked, by kind. */
export const upstreamSchema = z.discriminatedUnion('kind', [openaiSchema, claudeCliSchema, scriptedSchema])

/** A model that can be asked, as it is configured. */
export type Upstream = z.output<typeof upstreamSchema>

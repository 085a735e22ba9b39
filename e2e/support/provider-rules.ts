type Fields = Readonly<Record<string, unknown>>

/** How a provider refuses a request. */
export interface Refusal {
  readonly status: number
  readonly body: unknown
}

/** What a provider refuses of a request; undefined when it accepts it. */
export type ProviderRules = (request: Fields, source: string) => Refusal | undefined

/** The largest integer of 64 bits with a sign. */
const largest = 2n ** 63n - 1n

function openAi(message: string, param: string | null, code: string): Refusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param, code } } }
}

/** A seed is read from the source, because a double loses its last digits. */
function seedIn(source: string): bigint | undefined {
  const found = /"(?:random_)?seed":(-?\d+)/.exec(source)?.[1]
  return found === undefined ? undefined : BigInt(found)
}

/** OpenAI's rules for seeds. */
export const signedSeeds: ProviderRules = (_request, source) => {
  const seed = seedIn(source)
  return seed !== undefined && (seed > largest || seed < -largest - 1n)
    ? openAi(
        `Invalid 'seed': integer above maximum value. Expected a value <= ${largest}, but got ${seed} instead.`,
        'seed',
        'integer_above_max_value',
      )
    : undefined
}

/** OpenAI's rules for GPT-5. */
export const reasoningRules: ProviderRules = (request, source) => {
  if ('max_tokens' in request)
    return openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    )
  for (const [name, usual] of [
    ['temperature', 1],
    ['top_p', 1],
    ['presence_penalty', 0],
    ['frequency_penalty', 0],
  ] as const)
    if (name in request && request[name] !== usual)
      return openAi(
        `Unsupported value: '${name}' does not support ${request[name]} with this model. Only the default (${usual}) value is supported.`,
        name,
        'unsupported_value',
      )
  return signedSeeds(request, source)
}

/** The same for o-models, which have no seed either. */
export const oRules: ProviderRules = (request, source) =>
  'seed' in request
    ? openAi("Unsupported parameter: 'seed' is not supported with this model.", 'seed', 'unsupported_parameter')
    : reasoningRules(request, source)

/** Anthropic's rules for its newest models. */
export const claudeRules: ProviderRules = (request) => {
  const refused = (message: string): Refusal => ({
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' },
  })
  if (typeof request.max_tokens !== 'number') return refused('max_tokens: Field required')
  for (const name of ['temperature', 'top_p', 'top_k']) if (name in request) return refused(`\`${name}\` is deprecated for this model.`)
  const extra = Object.keys(request).find((name) => !claudeFields.has(name))
  return extra === undefined ? undefined : refused(`${extra}: Extra inputs are not permitted`)
}

const claudeFields = new Set(['model', 'max_tokens', 'messages', 'system', 'stream', 'output_config'])

/** Mistral's rules: unknown fields are refused. */
export const mistralRules: ProviderRules = (request, source) => {
  const extra = Object.keys(request).find((name) => !mistralFields.has(name))
  const detail = [{ type: 'extra_forbidden', loc: ['body', extra], msg: 'Extra inputs are not permitted', input: 1 }]
  if (extra !== undefined)
    return { status: 422, body: { object: 'error', message: { detail }, type: 'invalid_request_error', param: null, code: null } }
  return signedSeeds(request, source)
}

const mistralFields = new Set('model messages max_tokens temperature random_seed stream stream_options response_format'.split(' '))

/** Google's rules: unknown names are refused, in a list. */
export const geminiRules: ProviderRules = (request) =>
  'seed' in request
    ? {
        status: 400,
        body: [
          {
            error: {
              code: 400,
              message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
              status: 'INVALID_ARGUMENT',
            },
          },
        ],
      }
    : undefined

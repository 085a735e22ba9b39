import type { ApiName } from '../shared/wire.ts'

/** What the models of a family take in chat completions; the other APIs narrow that. */
export interface ModelFamily {
  /** Its name in the documentation. */
  readonly name: string
  /** Their names, in lower case and without the prefix of a provider; any name when absent. */
  readonly models?: RegExp
  /** Hosts or names of the providers for which the row holds; all when absent. */
  readonly providers?: RegExp
  /** The name of the token limit. */
  readonly limit: TokenLimit
  /** The highest temperature; absent where only the default is accepted. */
  readonly temperature?: number
  /** The name of the seed, and its bits without the sign; absent where there is none. */
  readonly seed?: { readonly name: 'seed' | 'random_seed'; readonly bits: number }
}

/** Names of the token limit. */
export type TokenLimit = 'max_tokens' | 'max_completion_tokens' | 'max_output_tokens'

const seed = { name: 'seed', bits: 63 } as const

/** What models take, as their providers publish it; the first row that fits counts, and the last one fits every model. */
export const modelFamilies: readonly [...ModelFamily[], ModelFamily] = [
  {
    name: 'Mistral, at `api.mistral.ai`',
    providers: /mistral/,
    limit: 'max_tokens',
    temperature: 1.5,
    seed: { ...seed, name: 'random_seed' },
  },
  { name: 'Gemini, at `generativelanguage.googleapis.com`', providers: /generativelanguage|gemini/, limit: 'max_tokens', temperature: 2 },
  {
    name: 'Gemini, at Vertex AI',
    providers: /aiplatform|vertex/,
    models: /gemini/,
    limit: 'max_tokens',
    temperature: 2,
    seed: { ...seed, bits: 31 },
  },
  { name: 'OpenAI `gpt-5-chat`', models: /(?:^|[^a-z0-9])gpt-?5-chat/, limit: 'max_completion_tokens', temperature: 2, seed },
  { name: 'OpenAI GPT-5 and later', models: /(?:^|[^a-z0-9])gpt-?(?:[5-9]|[12]\d)(?!\d)/, limit: 'max_completion_tokens', seed },
  {
    name: 'OpenAI o1, o3, o4 and later',
    models: /(?:^|[:._])o[1-9](?![a-z0-9])|-o[1-9]-(?:mini|pro)(?![a-z0-9])/,
    limit: 'max_completion_tokens',
  },
  {
    name: 'Claude Opus 4.7, Claude 5 and later',
    // backtracks: at most 200 characters
    models: /claude(?!\D*(?:[1-3](?!\d)|4(?![-.](?:[7-9]|\d\d)(?!\d))))/,
    limit: 'max_tokens',
    seed,
  },
  { name: 'all other models', limit: 'max_tokens', temperature: 2, seed },
]

/** What the Messages API and the Responses API narrow, for any model. */
const narrowed: ReadonlyMap<ApiName, { readonly limit: TokenLimit; readonly temperature: number }> = new Map([
  ['messages', { limit: 'max_tokens', temperature: 1 }],
  ['responses', { limit: 'max_output_tokens', temperature: 2 }],
])

/** Longer names are cut; clients choose some of them. */
const longestName = 200

/** What a model takes in an API; `provider` is the name or host of who offers it. */
export function familyOf(api: ApiName, provider: string, model: string): ModelFamily {
  const place = provider.toLowerCase()
  const name = model
    .slice(model.lastIndexOf('/') + 1, model.length)
    .slice(0, longestName)
    .toLowerCase()
  const fits = ({ models, providers }: ModelFamily): boolean => (models?.test(name) ?? true) && (providers?.test(place) ?? true)
  const family = modelFamilies.find(fits) as ModelFamily
  const less = narrowed.get(api)
  if (less === undefined) return family
  // Neither API has a seed.
  const { seed: _, temperature, ...rest } = family
  return { ...rest, limit: less.limit, ...(temperature === undefined ? {} : { temperature: Math.min(temperature, less.temperature) }) }
}

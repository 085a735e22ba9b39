import type { Price } from '@stickler/core/internal/apis'

/** The day of these prices: those of the providers' own lists, in dollars per million tokens, without surcharges and discounts. */
export const listPricesDate = '2026-09-23'

type Row = readonly [models: string, prompt: number, completion: number]

/** By the host of a provider's own API: another host has prices of its own. */
const lists: Readonly<Record<string, readonly Row[]>> = {
  'api.openai.com': [
    ['gpt-5.6-sol', 4, 20],
    ['gpt-5.6-terra', 2, 12],
    ['gpt-5.6-luna', 0.2, 1.2],
    ['gpt-5.5', 5, 30],
    ['gpt-5.4', 2.5, 15],
    ['gpt-5.4-mini', 0.75, 4.5],
    ['gpt-5.4-nano', 0.2, 1.25],
    ['gpt-5.2 gpt-5.2-chat', 1.75, 14],
    ['gpt-5.2-pro', 21, 168],
    ['gpt-5 gpt-5-chat gpt-5.1 gpt-5.1-chat', 1.25, 10],
    ['gpt-5-mini', 0.25, 2],
    ['gpt-5-nano', 0.05, 0.4],
    ['gpt-5-pro', 15, 120],
    ['gpt-4.1 o3', 2, 8],
    ['gpt-4.1-mini', 0.4, 1.6],
    ['gpt-4.1-nano', 0.1, 0.4],
    ['gpt-4o', 2.5, 10],
    ['gpt-4o-2024-05-13', 5, 15],
    ['gpt-4o-mini', 0.15, 0.6],
    ['o3-mini o4-mini', 1.1, 4.4],
    ['o3-pro', 20, 80],
    ['o1', 15, 60],
    ['gpt-4-turbo', 10, 30],
  ],
  'api.anthropic.com': [
    ['claude-opus-5-5', 4, 20],
    ['claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5', 5, 25],
    ['claude-fable-5 claude-fable-5-1', 10, 50],
    ['claude-sonnet-5 claude-sonnet-5-5', 2, 10],
    ['claude-sonnet-4-6 claude-sonnet-4-5 claude-sonnet-4', 3, 15],
    ['claude-haiku-4-5', 1, 5],
    ['claude-opus-4-1 claude-opus-4', 15, 75],
  ],
  'generativelanguage.googleapis.com': [
    ['gemini-3.1-pro-preview gemini-3-pro-preview', 2, 12],
    ['gemini-3.5-flash', 1.5, 9],
    ['gemini-3-flash-preview', 0.5, 3],
    ['gemini-2.5-pro', 1.25, 10],
    ['gemini-2.5-flash', 0.3, 2.5],
    ['gemini-2.5-flash-lite', 0.1, 0.4],
  ],
  'api.mistral.ai': [
    ['mistral-large-latest', 2, 6],
    ['mistral-medium-latest', 1.5, 7.5],
    ['mistral-small-latest', 0.1, 0.3],
    ['codestral-latest', 0.3, 0.9],
  ],
}

/** The price of a model by its name; undefined for one that is not on the list. */
export type PriceList = (model: string) => Price | undefined

/** The list of the provider at an address; undefined for other addresses. */
export function listPrices(baseUrl: string | undefined): PriceList | undefined {
  const rows =
    baseUrl !== undefined && URL.canParse(baseUrl)
      ? Object.entries(lists).find(([host]) => host === new URL(baseUrl).hostname)?.[1]
      : undefined
  if (rows === undefined) return undefined
  const prices = new Map(
    rows.flatMap(([models, promptPerMillion, completionPerMillion]) =>
      models.split(' ').map((model): [string, Price] => [model, { promptPerMillion, completionPerMillion }]),
    ),
  )
  return (model) => prices.get(model) ?? prices.get(model.replace(/-(?:latest|\d{8}|\d{4}-\d\d-\d\d)$/, ''))
}

/** The price of a model whatever its address; a prefix such as `openai/` is ignored. */
export function listedPrice(model: string): Price | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return Object.keys(lists)
    .map((host) => listPrices(`https://${host}`)?.(name))
    .find((price) => price !== undefined)
}

/** The models with a price, by the host of their provider. */
export function listedModels(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(lists).map(([host, rows]) => [host, rows.flatMap(([models]) => models.split(' '))]))
}

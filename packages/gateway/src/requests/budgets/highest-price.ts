import type { Price } from '@stickler/core/internal/apis'

/** The most expensive of several prices, each part separately. */
export function highestPrice(prices: readonly (Price | undefined)[]): Price | undefined {
  const known = prices.filter((price) => price !== undefined)
  if (known.length === 0) return undefined
  return {
    promptPerMillion: Math.max(...known.map(({ promptPerMillion }) => promptPerMillion)),
    completionPerMillion: Math.max(...known.map(({ completionPerMillion }) => completionPerMillion)),
  }
}

import type { Recipe } from './recipes.mjs'

export interface Growth {
  readonly largeMs: number
  readonly ratio: number
  readonly bad: boolean
}
export function growthOf(scanner: { readonly run: (text: string) => unknown }, recipe: Recipe, size: number): Promise<Growth>

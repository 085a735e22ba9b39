export interface Grammar {
  readonly tokens: readonly string[]
  readonly starts: readonly string[]
}
export type Recipe = readonly { readonly once?: string; readonly repeated?: string }[]
export function randomFrom(seed: number): () => number
export function makeRecipe(grammar: Grammar, random: () => number): Recipe
export function cook(recipe: Recipe, size: number): string
export function showRecipe(recipe: Recipe): string

import type { Grammar } from './recipes.mjs'

export interface Scanner {
  readonly name: string
  readonly grammar: Grammar
  readonly run: (text: string) => unknown
}
export function scanners(load: (folder: string, path: string) => Promise<unknown>): Promise<readonly Scanner[]>

import type { Grammar } from './recipes.mjs'

export const code: Grammar
export const avap: Grammar
export const bash: Grammar
export const sql: Grammar
export const go: Grammar

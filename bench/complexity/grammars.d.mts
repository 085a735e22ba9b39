import type { Grammar } from './recipes.mjs'

export const json: Grammar
export const markdown: Grammar
export const code: Grammar
export const citations: Grammar
export const steps: Grammar
export const adr: Grammar
export const mentions: Grammar
export const calls: Grammar
export const events: Grammar
export const words: Grammar
export const secrets: Grammar
export const avap: Grammar
export const bash: Grammar
export const sql: Grammar
export const go: Grammar

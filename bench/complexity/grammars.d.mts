import type { Grammar } from './recipes.mjs'

export const json: Grammar
export const markdown: Grammar
export const citations: Grammar
export const steps: Grammar
export const adr: Grammar
export const mentions: Grammar
export const calls: Grammar
export const events: Grammar
export const terms: Grammar
export const words: Grammar
export const secrets: Grammar

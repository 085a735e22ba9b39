export type { AskModel, Embedder, EmbedOptions } from './contract/embedder.ts'
export { terms } from './relevance/terms.ts'

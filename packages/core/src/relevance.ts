export type { AskModel, Embedder, EmbedOptions } from './contract/embedder.ts'
export {
  judgeRelevance,
  lexicalThreshold,
  type RelevanceCase,
  type RelevanceStrategy,
  type RelevanceVerdict,
  relevanceStrategies,
} from './relevance/judge.ts'
export { lexicalRelevance } from './relevance/lexical/index.ts'
export { wordWeight } from './relevance/lexical/word-weights.ts'
export { terms, termsVersion } from './relevance/terms.ts'

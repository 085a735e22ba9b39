export type { AskModel, Embedder, EmbedOptions } from './contract/embedder.ts'
export { fold } from './relevance/fold.ts'
export {
  judgeRelevance,
  type RelevanceCase,
  type RelevanceStrategy,
  type RelevanceVerdict,
  relevanceStrategies,
  relevanceThresholds,
} from './relevance/judge.ts'
export { lexicalRelevance } from './relevance/lexical/index.ts'
export { Passage } from './relevance/lexical/passage.ts'
export { type QuestionTerms, readQuestion } from './relevance/lexical/question.ts'
export { wordShare, wordWeight } from './relevance/lexical/word-weights.ts'
export { terms, termsVersion } from './relevance/terms.ts'
export { words } from './relevance/words.ts'
export { contextRelevance } from './validators/context-relevance/index.ts'

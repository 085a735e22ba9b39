export { wordWeight } from '../relevance/lexical/word-weights.ts'
export { terms, termsVersion } from '../relevance/terms.ts'

export { Passage } from '../relevance/lexical/passage.ts'
export { type QuestionTerms, readQuestion } from '../relevance/lexical/question.ts'
export { wordShare, wordWeight } from '../relevance/lexical/word-weights.ts'
export { fold, terms, termsVersion, words } from '../relevance/terms.ts'

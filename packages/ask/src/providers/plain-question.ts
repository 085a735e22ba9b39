import type { Executor } from '@stickler/core/remote'
import { askPrompt } from '../question/prompt.ts'
import type { QuestionParts } from '../question/question-parts.ts'
import type { AskRequest } from '../question/request.ts'
import { askContract } from './ask-contract.ts'

/** A question with its own sources: strict citations, and nothing else. */
export function plainQuestion({ question, sources = [] }: AskRequest, executor: Executor | undefined): QuestionParts {
  const rules = { cites: true, contract: askContract, ...(executor ? { executor } : {}) }
  return { sources, prompt: askPrompt(question, sources), rules }
}

import type { Route } from '../../front/exchange.ts'
import type { RouteDependencies } from '../dependencies.ts'
import { messagesErrorBody } from '../messages/messages-error.ts'
import { messagesErrorSchema } from '../messages/messages-error-schema.ts'
import { messagesHeaders } from '../messages/messages-headers.ts'
import type { PassingPath } from './passing-path.ts'
import { passingRoute } from './passing-route.ts'

/** Headers of OpenAI's API that ask for something new. */
const openaiHeaders = ['openai-beta']

const paths: readonly PassingPath[] = [
  { path: '/completions', summary: 'Complete a text, as OpenAI does.', carries: 'answers' },
  { path: '/embeddings', summary: 'Embed texts, as OpenAI does.', carries: 'data' },
  { path: '/moderations', summary: 'Classify texts and pictures, as OpenAI does.', carries: 'data' },
  { path: '/images/generations', summary: 'Make pictures, as OpenAI does.', carries: 'data' },
  { path: '/images/edits', summary: 'Change pictures, as OpenAI does.', carries: 'data', takesForms: true },
  { path: '/images/variations', summary: 'Vary a picture, as OpenAI does.', carries: 'data', takesForms: true },
  { path: '/audio/speech', summary: 'Turn a text into speech, as OpenAI does.', carries: 'data' },
  { path: '/audio/transcriptions', summary: 'Write down speech, as OpenAI does.', carries: 'data', takesForms: true },
  { path: '/audio/translations', summary: 'Translate speech, as OpenAI does.', carries: 'data', takesForms: true },
  {
    path: '/messages/count_tokens',
    summary: 'Count the tokens of a message, as Anthropic does.',
    carries: 'data',
    errors: messagesErrorBody,
    errorSchema: messagesErrorSchema,
    headers: messagesHeaders,
  },
]

/** The routes whose bodies are passed on as they are. */
export function passingRoutes(dependencies: RouteDependencies): readonly Route[] {
  return paths.map((passing) => passingRoute({ headers: openaiHeaders, ...passing }, dependencies))
}

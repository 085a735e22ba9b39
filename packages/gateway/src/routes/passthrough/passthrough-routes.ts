import { messagesErrorBody, messagesErrorSchema, messagesHeaders } from '@stickler/core/internal/apis'
import type { Route } from '../../front/exchange.ts'
import type { RouteDependencies } from '../../requests/request-ports.ts'
import { type PassthroughPath, passthroughRoute } from './passthrough-route.ts'

/** Beta headers of OpenAI's API. */
const openaiHeaders = ['openai-beta']

const paths: readonly PassthroughPath[] = [
  { path: '/completions', summary: 'Create a completion (OpenAI).', carries: 'answers' },
  { path: '/embeddings', summary: 'Create embeddings (OpenAI).', carries: 'data' },
  { path: '/moderations', summary: 'Create a moderation (OpenAI).', carries: 'data' },
  { path: '/images/generations', summary: 'Generate images (OpenAI).', carries: 'data' },
  { path: '/images/edits', summary: 'Edit images (OpenAI).', carries: 'data', takesForms: true },
  { path: '/images/variations', summary: 'Create image variations (OpenAI).', carries: 'data', takesForms: true },
  { path: '/audio/speech', summary: 'Create speech (OpenAI).', carries: 'data' },
  { path: '/audio/transcriptions', summary: 'Transcribe audio (OpenAI).', carries: 'data', takesForms: true },
  { path: '/audio/translations', summary: 'Translate audio (OpenAI).', carries: 'data', takesForms: true },
  {
    path: '/messages/count_tokens',
    summary: 'Count the tokens of a message (Anthropic).',
    carries: 'data',
    errors: messagesErrorBody,
    errorSchema: messagesErrorSchema,
    headers: messagesHeaders,
  },
]

/** The pass-through routes. */
export function passthroughRoutes(dependencies: RouteDependencies): readonly Route[] {
  return paths.map((path) => passthroughRoute({ headers: openaiHeaders, ...path }, dependencies))
}

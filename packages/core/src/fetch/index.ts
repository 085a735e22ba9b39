export { type AnthropicMiddleware, anthropicMiddleware } from './anthropic-middleware.ts'
export { enforcedFetch } from './enforced-fetch.ts'
export type { EnforcedFetchOptions, FetchContract, FetchedRequest } from './fetch-options.ts'

export { type AnthropicMiddleware, anthropicMiddleware } from './anthropic-middleware.ts'
export { enforcedFetch } from './enforced-fetch.ts'
export type { EnforcedFetchOptions, FetchedRequest } from './fetch-options.ts'

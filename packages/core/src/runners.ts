export { type AnthropicSettings, anthropic } from './runners/anthropic/anthropic.ts'
export { type OpenAiSettings, openai } from './runners/openai/openai.ts'
export { type TransportRetrySettings, withTransportRetries } from './runners/transport-retries.ts'

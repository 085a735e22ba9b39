export { type AnthropicSettings, anthropic } from './runners/anthropic/anthropic.ts'
export { type TransportRetrySettings, withTransportRetries } from './runners/transport-retries.ts'

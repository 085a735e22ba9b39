/** Providers that speak each API, and a contract that every answer of the recordings keeps. */
export const relayYaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  kept: { checks: [{ max_words: { limit: 500 } }, tool_calls], retries: 1 }
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 1, stream: hold }
routes:
  - { model: openai-plain, upstream: openai }
  - { model: openai-kept, upstream: openai, contract: kept }
  - { model: openai-brief, upstream: openai, contract: brief }
  - { model: anthropic-plain, upstream: anthropic }
  - { model: anthropic-kept, upstream: anthropic, contract: kept }
`

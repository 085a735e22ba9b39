import { expect, it } from 'vitest'
import { placeOf } from './upstream-place.ts'

it.each([
  ['openai', 'https://api.openai.com/v1', undefined, 'openai', 'api.openai.com', 443],
  ['openai', 'http://127.0.0.1:8000/v1', undefined, 'openai', '127.0.0.1', 8000],
  ['openai', 'http://[::1]/v1', undefined, 'openai', '::1', 80],
  ['openai', 'https://here.openai.azure.com', undefined, 'azure.ai.openai', 'here.openai.azure.com', 443],
  ['openai', 'https://proxy.example/x', 'azure', 'azure.ai.openai', 'proxy.example', 443],
  ['openai', 'https://api.mistral.ai/v1', undefined, 'mistral_ai', 'api.mistral.ai', 443],
  ['openai', 'https://eu.api.mistral.ai/v1', undefined, 'mistral_ai', 'eu.api.mistral.ai', 443],
  ['openai', 'https://notapi.mistral.ai.example/v1', undefined, 'openai', 'notapi.mistral.ai.example', 443],
  ['mistral', 'https://proxy.example/v1', undefined, 'mistral_ai', 'proxy.example', 443],
  ['azure', 'https://proxy.example/v1', undefined, 'azure.ai.openai', 'proxy.example', 443],
  ['ollama', 'http://localhost:11434/v1', undefined, 'ollama', 'localhost', 11_434],
  ['anthropic', 'https://api.anthropic.com', undefined, 'anthropic', 'api.anthropic.com', 443],
] as const)('%s at %s is known as the conventions name it', (provider, baseUrl, pathStyle, known, address, port) => {
  const place = placeOf({ name: 'up', provider, settings: { baseUrl, pathStyle } })
  expect(place).toEqual({ upstream: 'up', provider: known, address, port })
})

it.each([undefined, 'no address', ''])('an upstream without an address has none: %s', (baseUrl) => {
  expect(placeOf({ name: 'up', provider: 'anthropic', settings: { baseUrl } })).toEqual({
    upstream: 'up',
    provider: 'anthropic',
  })
})

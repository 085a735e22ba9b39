import type { AskKnobs } from '@stickler/ask'
import type { Price } from '@stickler/core/runners'
import { type Calls, UpstreamRunner } from '../../enforcement/upstream-runner.ts'
import type { Upstream, UpstreamCallOptions } from '../../upstreams/upstream.ts'

/** The runner that sends a question to an upstream. */
export function askRunner(
  upstream: Upstream,
  knobs: AskKnobs,
  around: Pick<UpstreamCallOptions, 'requestId' | 'caller'>,
  headersOf: () => NonNullable<UpstreamCallOptions['headers']>,
  price: Price | undefined,
): UpstreamRunner {
  const { model, temperature, seed, maxTokens } = knobs
  const start: Calls['start'] = (messages, { signal, stream, timeLeftMs }, _choice, _isFirst, continuation) =>
    upstream.call(
      {
        model,
        messages,
        stream,
        max_tokens: maxTokens,
        ...(temperature === undefined ? {} : { temperature }),
        ...(seed === undefined ? {} : { seed }),
      },
      {
        ...around,
        headers: headersOf(),
        signal,
        ...(timeLeftMs === undefined ? {} : { timeLeftMs }),
        ...(continuation === undefined ? {} : { continuation }),
      },
    )
  return new UpstreamRunner({ price, chat: { model }, start })
}

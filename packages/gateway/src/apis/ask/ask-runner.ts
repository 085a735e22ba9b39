import type { AskKnobs } from '@stickler/ask'
import type { Price } from '@stickler/core/runners'
import { Bill } from '../../enforcement/budgets/bill.ts'
import { type CallStarter, ChoiceRunner } from '../../enforcement/choice-runner.ts'
import type { Upstream, UpstreamCallOptions } from '../../upstreams/upstream.ts'

/** The runner that sends a question to an upstream. */
export function askRunner(
  upstream: Upstream,
  knobs: AskKnobs,
  around: Pick<UpstreamCallOptions, 'requestId' | 'caller'>,
  headersOf: () => NonNullable<UpstreamCallOptions['headers']>,
  price?: Price,
): ChoiceRunner {
  const { model, temperature, seed, maxTokens } = knobs
  const start: CallStarter['again'] = (messages, { signal, stream, timeLeftMs }, _choice, continuation) =>
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
  return new ChoiceRunner(0, { bill: new Bill(price), request: { model }, first: start, again: start })
}

import { queryTypes } from '@stickler/ask/internal'
import { openPipeline, preparePipeline, type QueryType } from '@stickler/ask/pipeline'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bad,
  definition,
  downRetriever,
  fixedRetriever,
  good,
  judge,
  nodesOf,
  parser,
  question,
} from '../../../../ask/src/testing/piped.ts'
import { questions } from './testing/questions.ts'

const runs = 30

const answers = fc.constantFrom<string | ScriptedTurn>(
  good,
  bad,
  `${bad}\n\nAgain.`,
  'Cited[^1].',
  'Cited[^2] and[^9].',
  'Cited[^01].',
  'No code, no markers.',
  '',
  { text: 'Cut[^1', finishReason: 'length' },
  { text: '```avap\naddPar', finishReason: 'length' },
  { failure: { kind: 'connection' } },
  { failure: { kind: 'http', status: 429 } },
)

test('answers what the pipeline answers by itself, takes one retry at most, and audits every way out once', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answers, { minLength: 3, maxLength: 3 }),
      fc.option(fc.constantFrom<QueryType>(...queryTypes), { nil: undefined }),
      fc.constantFrom('full', 'empty', 'down'),
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 1, max: 30 }),
      async (turns, type, index, isRelevant, isGone, chunkSize) => {
        const options = () => ({
          pipeline: definition,
          retriever: index === 'down' ? downRetriever() : fixedRetriever(index === 'empty' ? [] : undefined),
          relevance: judge(isRelevant),
        })
        const cut = turns.map((turn) => (typeof turn === 'string' ? { text: turn, chunkSize } : turn))
        const wish = { question, ...(type === undefined ? {} : { type }) }
        const pipeline = () => ({ prepare: preparePipeline(options()), ports: { parser: parser(isGone) } })
        const alone = openPipeline({ ...options(), runner: scripted(cut), parser: parser(isGone) })
        const expected = await alone.run({ query: question, ...(type === undefined ? {} : { type }) }).catch(() => undefined)

        const whole = questions(cut, { pipeline: pipeline() })
        const reply = await whole.ask(wish)
        expect(whole.audit.rows).toHaveLength(1)
        expect(reply.ok).toBe(expected !== undefined)
        expect(whole.runner.calls.length + (whole.audit.rows[0]?.pipeline?.reformulations ?? 0)).toBeLessThanOrEqual(2)
        if (reply.ok && expected !== undefined) {
          const { answer, validation_status, sources, reformulations } = expected
          expect(reply.envelope).toMatchObject({ answer, type: expected.type, validation_status, reformulations })
          expect(reply.envelope.context_relevant).toBe(expected.context_relevant ?? null)
          expect(reply.envelope.sources_flat.map(({ urn }) => urn)).toEqual(sources.map(({ urn }) => urn))
          expect(nodesOf(reply)).toBe(expected.trace.map(({ node }) => node).join(' '))
        }

        const streamed = questions(cut, { pipeline: pipeline() })
        const stream = streamed.stream(wish)
        let shown = ''
        for await (const piece of stream) shown += piece
        const last = await stream.reply
        expect(streamed.audit.rows).toHaveLength(1)
        expect(last.ok).toBe(reply.ok)
        if (last.ok) expect(shown).toBe(last.envelope.answer)
      },
    ),
    { numRuns: runs },
  )
})

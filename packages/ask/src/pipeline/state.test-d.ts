import { expectTypeOf, test } from 'vitest'
import { generateCodeRetry } from './nodes/generate-code.ts'
import { reformulateWithHint } from './nodes/reformulate-with-hint.ts'
import { retrieve } from './nodes/retrieve.ts'
import type { GenerationNeeds, Needs } from './options.ts'
import type { PipelineState } from './state.ts'
import { step } from './step.ts'

declare const needs: Needs
declare const generation: GenerationNeeds
declare const unspent: PipelineState<'unspent'>
declare const spent: PipelineState<'spent'>
declare const restored: PipelineState

test('a request is reformulated once', async () => {
  const broader = await step('reformulate_with_hint', reformulateWithHint, unspent, needs, {})
  expectTypeOf(broader.retry).toEqualTypeOf<'spent'>()
  const found = await step('retrieve', retrieve, broader, needs, {})
  expectTypeOf(found.retry).toEqualTypeOf<'spent'>()
  // @ts-expect-error: the retry is spent
  await step('reformulate_with_hint', reformulateWithHint, found, needs, {})
  // @ts-expect-error: the retry is spent, and code is not asked for again either
  await step('generate_code_retry', generateCodeRetry, found, generation, {})
})

test('code is asked for again once', async () => {
  const retried = await step('generate_code_retry', generateCodeRetry, unspent, generation, {})
  expectTypeOf(retried.retry).toEqualTypeOf<'spent'>()
  // @ts-expect-error: the retry is spent
  await step('generate_code_retry', generateCodeRetry, retried, generation, {})
  // @ts-expect-error: the retry is spent
  await reformulateWithHint(spent, needs, undefined)
})

test('a state whose budget is not known has none', async () => {
  // @ts-expect-error: it may be spent
  await reformulateWithHint(restored, needs, undefined)
  if (restored.retry === 'unspent') expectTypeOf(restored.retry).toEqualTypeOf<'unspent'>()
})

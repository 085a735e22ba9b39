import * as z from 'zod'
import { sharedKeys } from '../settings/written-upstream.ts'
import { defineKind, type UpstreamSettings } from './upstream-kind.ts'

const { name, provider, capabilities } = sharedKeys

const schema = z.strictObject({
  name,
  kind: z.literal('extractive').describe('extractive: quotes the sources of its prompt.'),
  provider,
  capabilities,
})

/** Stands in for a model: quotes the sources of its prompt. */
export const extractiveKind = defineKind<z.output<typeof schema>, UpstreamSettings>({
  name: 'extractive',
  schema,
  provider: 'extractive',
  traits: { readsOnlyText: true },
  advice: '',
  read: (_written, { kind, name }) => ({ settings: { kind, name, retry: { retries: 0 }, breaker: false } }),
  async load() {
    const [{ extractiveRunner }, { runnerUpstream }] = await Promise.all([import('@stickler/ask/internal'), import('./runner-upstream.ts')])
    return { create: ({ name }) => runnerUpstream(name, extractiveRunner()), runner: () => extractiveRunner() }
  },
})

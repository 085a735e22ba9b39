import { alwaysTellsFinish, type Ending, finishKindOf, isFields } from '@stickler/core/internal'

/** Why a model stopped, as the engine reads it: in the provider's own word where that says more than the SDK's. */
export function readFinish(given: unknown, provider: string): Pick<Ending, 'finishReason' | 'finishMissing'> {
  const { unified, raw } = isFields(given) ? given : { unified: given, raw: undefined }
  if (unified === 'interrupted') return { finishMissing: 'unexpected' }
  const word = typeof raw === 'string' ? raw : undefined
  // With neither, the provider has sent none, or its stream has ended early.
  if (typeof unified !== 'string' || (unified === 'other' && word === undefined)) {
    const [name = ''] = provider.split('.')
    return { finishMissing: given === undefined || alwaysTellsFinish(name) ? 'unexpected' : 'usual' }
  }
  const kind = word === undefined ? undefined : finishKindOf(word)
  const isFiner = kind !== undefined && (kind !== 'complete' || unified === 'stop')
  return { finishReason: isFiner || unified === 'other' ? word : unified }
}

/** The reason as it is passed on: calls that were found in the text are to be run like any others. */
export function finishWithCalls(given: unknown, hasNewCalls: boolean): unknown {
  if (!hasNewCalls) return given ?? { unified: 'other', raw: undefined }
  return typeof given === 'string' ? 'tool-calls' : { ...(isFields(given) ? given : { raw: undefined }), unified: 'tool-calls' }
}

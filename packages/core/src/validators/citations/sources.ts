import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'

type Context = Readonly<Record<string, unknown>>

/** The number of sources in the context, at most the one of the options, which a client cannot exceed; undefined when neither is known. */
export function countSources(context: Context, ceiling: number | undefined): number | undefined {
  const sources = givenSources(context)
  if (sources === undefined) return ceiling
  const count = Array.isArray(sources) ? sources.length : sources
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) return undefined
  return ceiling === undefined ? count : Math.min(count, ceiling)
}

/** Reports that markers cannot be judged, since the number of sources is unknown. */
export function sourcesUnknown(context: Context): ValidatorUnavailable {
  return new ValidatorUnavailable(
    givenSources(context) === undefined
      ? 'the number of sources is unknown: give `sources` with the answer (in its context, or in its JSON line), or the option `sources`'
      : 'the `sources` that are given with the answer are neither a list nor a whole number from 0',
  )
}

/** A JSON line may have them beside its text or in its own context, which is then a part of the context. */
function givenSources({ sources, context }: Context): unknown {
  if (sources !== undefined && sources !== null) return sources
  return typeof context === 'object' && context !== null && 'sources' in context ? (context.sources ?? undefined) : undefined
}

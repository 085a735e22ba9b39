import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'

type Context = Readonly<Record<string, unknown>>

/** The number of sources that the context tells, else the one of the options; undefined when neither tells one. */
export function countSources(context: Context, fallback: number | undefined): number | undefined {
  const sources = givenSources(context)
  if (sources === undefined) return fallback
  if (Array.isArray(sources)) return sources.length
  return typeof sources === 'number' && Number.isInteger(sources) && sources >= 0 ? sources : undefined
}

/** Says that markers cannot be judged, since nobody knows how many sources there are. */
export function sourcesUnknown(context: Context): ValidatorUnavailable {
  return new ValidatorUnavailable(
    givenSources(context) === undefined
      ? 'nothing says how many sources there are: give `sources` with the answer (in its context, or in its JSON line), or the option `sources`'
      : 'the `sources` that are given with the answer are neither a list nor a whole number from 0',
  )
}

/** A JSON line may have them beside its text or in its own context, which is then a part of the context. */
function givenSources({ sources, context }: Context): unknown {
  if (sources !== undefined && sources !== null) return sources
  return typeof context === 'object' && context !== null && 'sources' in context ? (context.sources ?? undefined) : undefined
}
